/* SPDX-License-Identifier: Apache-2.0 */
/** The servers of a test's cluster: in this process, in another one, or on another host. */
package org.apache.crail.testkit.servers;
