/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

/**
 * The bytes of a cluster, in whole blocks. Immutable.
 *
 * @param totalBytes on datanodes that are alive
 * @param freeBytes of those, free now
 * @param pendingBytes of those, given back and free soon, see {@code crail.tokenexpiration}
 * @param blockSizeBytes the size of a block
 */
public record StoreCapacity(long totalBytes, long freeBytes, long pendingBytes, int blockSizeBytes) {}
