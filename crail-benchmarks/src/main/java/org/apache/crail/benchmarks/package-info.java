/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Measurements: JMH benchmarks of the namenode and of messages, the heap that a file costs, and what the one-sided
 * tiers add to the device. Nothing here is a test; docs/benchmarks has the figures and the commands.
 */
package org.apache.crail.benchmarks;
