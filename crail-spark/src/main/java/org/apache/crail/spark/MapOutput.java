/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import org.apache.crail.CrailFile;

/**
 * The output of one attempt of a map task. Immutable.
 *
 * @param file where it is
 * @param begin of the output in the file
 * @param index where its partitions are in the output
 */
record MapOutput(CrailFile file, long begin, PartitionIndex index) {}
