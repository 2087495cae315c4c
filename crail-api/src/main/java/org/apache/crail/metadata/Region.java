/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

/**
 * A range of memory or flash that a datanode offers. Immutable.
 *
 * @param lba offset in bytes within all that the datanode offers, a multiple of the block size
 * @param address tier specific, as in a block
 * @param length in bytes; what exceeds a multiple of the block size is not used
 * @param key tier specific name of the region
 */
public record Region(long lba, long address, long length, int key) {}
