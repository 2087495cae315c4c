/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The client suite: what every combination of metadata transport and storage tier must do. A subclass names the kind.
 * Each instance is used by the one thread of its test.
 */
package org.apache.crail.testkit.suite;
