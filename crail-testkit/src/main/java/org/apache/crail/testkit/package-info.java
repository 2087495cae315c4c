/* SPDX-License-Identifier: Apache-2.0 */
/** What tests of several modules share: an in-process cluster, transports and tiers in memory, faults on purpose. */
package org.apache.crail.testkit;
