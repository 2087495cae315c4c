/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

/**
 * What a reduce task reads: partitions of the outputs of map tasks. Ends are exclusive. Immutable.
 *
 * @param endMap {@link Integer#MAX_VALUE} for all map tasks from {@code startMap} on
 */
record ReadPlan(int shuffleId, int startMap, int endMap, int startPartition, int endPartition) {}
