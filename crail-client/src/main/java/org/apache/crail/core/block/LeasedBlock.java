/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.storage.StorageEndpoint;

/**
 * The location of a block of a node, as the namenode confirmed it, and until when it may be used. Thread safe: all but
 * the endpoint is fixed, and any thread would find the same endpoint.
 */
public final class LeasedBlock {
    final long index;
    final BlockInfo block;

    /** By the store's clock. */
    final long expiryNs;

    private volatile StorageEndpoint endpoint;

    public LeasedBlock(long index, BlockInfo block, long expiryNs) {
        this.index = index;
        this.block = block;
        this.expiryNs = expiryNs;
    }

    /** Whether it is the same allocation of the same block, whatever the lease. */
    public boolean isSameAs(LeasedBlock other) {
        return index == other.index && block.equals(other.block);
    }

    /** Whether the block reaches that far. */
    public boolean covers(long endInBlock) {
        return endInBlock <= block.getLength() - block.start();
    }

    boolean isValid(long nowNs) {
        return nowNs - expiryNs < 0;
    }

    /** The endpoint that {@link #endpoint(StorageEndpoint)} kept; null before. */
    StorageEndpoint endpoint() {
        return endpoint;
    }

    void endpoint(StorageEndpoint found) {
        endpoint = found;
    }
}
