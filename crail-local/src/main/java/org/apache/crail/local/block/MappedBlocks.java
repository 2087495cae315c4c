/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;

/**
 * The blocks of one datanode as far as they are mapped here: the one way in which bytes are copied within a host. It
 * follows the client's connections to the datanode, since copies do not notice that the datanode has ended. What an
 * earlier connection has mapped stays mapped if the datanode has not started anew. Thread safe.
 */
public final class MappedBlocks {
    private volatile LocalRegions regions; // null while nothing is offered
    private LocalRegions lastRegions; // guarded by this

    /**
     * Follows a connection that has been made.
     *
     * @param offer what the datanode offers over it, or null if that is nothing
     */
    public synchronized void begin(LocalOffer offer) {
        if (offer != null && (lastRegions == null || !lastRegions.renew(offer))) {
            lastRegions = new LocalRegions(offer);
        }
        regions = offer == null ? null : lastRegions;
    }

    /** Follows the end of the connection: nothing is mapped from now on. */
    public synchronized void end() {
        regions = null;
    }

    /** Whether a block is mapped; if not, begins to map its region. */
    public boolean isMapped(BlockInfo block) {
        LocalRegions present = regions;
        return present != null && present.isMapped(block);
    }

    /** Whether any block is mapped. */
    public boolean isInUse() {
        LocalRegions present = regions;
        return present != null && present.isInUse();
    }

    /**
     * Copies bytes between any memory and a block on the calling thread, if the block is mapped and the tier does not
     * have to put this transfer and others in order.
     *
     * @param bytes from its position to its limit, which do not change
     * @param offset in the block
     * @return whether it was done; if not, the tier has to do it, or tells what is wrong
     * @throws CrailException StaleBlockException, or DatanodeUnreachableException when the memory vanished; some bytes
     *     may have been copied
     */
    public boolean copy(boolean isWrite, ByteBuffer bytes, BlockInfo block, long offset) throws CrailException {
        LocalRegions present = regions;
        return present != null
                && offset >= 0
                && offset <= block.getLength() - (long) bytes.remaining()
                && present.transfer(isWrite, block, (int) offset, bytes);
    }

    /** Those of the present connection, or null. */
    LocalRegions regions() {
        return regions;
    }
}
