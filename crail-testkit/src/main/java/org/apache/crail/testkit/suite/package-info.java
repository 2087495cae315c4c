/* SPDX-License-Identifier: Apache-2.0 */
/** The client suite: what every combination of metadata transport and storage tier must do. A subclass names the kind. */
package org.apache.crail.testkit.suite;
