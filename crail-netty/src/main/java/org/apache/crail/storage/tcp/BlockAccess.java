/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.nio.ByteBuffer;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.storage.memory.BlockFence;
import org.apache.crail.storage.memory.MappedRegion;

/**
 * A request that has been found right, and the memory it concerns. Thread safe; the bytes are not guarded.
 *
 * @param request what the client wants
 * @param memory the region
 * @param fence keeps earlier allocations out of its blocks
 */
record BlockAccess(TransferRequest request, MappedRegion memory, BlockFence fence) {
    /** The bytes to be transferred; shared, not copied. */
    ByteBuffer bytes() {
        return memory.slice(request.address() + request.offset(), request.length());
    }

    boolean admit() {
        return fence.admit(block(), request.epoch());
    }

    /** Begins to write bytes, unless the block has been given to another node; each success is ended by {@link #leave}. */
    boolean enter() {
        return fence.enter(block(), request.epoch());
    }

    void leave() {
        fence.leave(block());
    }

    /** Whether the block has not been given to another node since. */
    boolean isCurrent() {
        return fence.isCurrent(block(), request.epoch());
    }

    StaleBlockException stale() {
        return new StaleBlockException(request + ": the block has been given to another node since, epoch "
                + fence.seen(block()) + "; ask the namenode for the location again");
    }

    private int block() {
        return memory.blockOf(request.address());
    }
}
