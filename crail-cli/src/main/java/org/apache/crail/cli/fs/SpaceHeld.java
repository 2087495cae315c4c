/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.crail.cli.context.Namenodes.Namenode;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.MapResponse;

/** Adds up the bytes of files and of their blocks, of which small ones are parts. Used by one thread. */
final class SpaceHeld {
    private static final int QUESTIONS_IN_FLIGHT = 256;

    private final Namenode namenode;
    private final long blockSizeBytes;
    private final Deque<Future<MapResponse>> inFlight = new ArrayDeque<>();
    private long bytes;
    private long heldBytes;

    SpaceHeld(Namenode namenode, long blockSizeBytes) {
        this.namenode = namenode;
        this.blockSizeBytes = blockSizeBytes;
    }

    /** Adds a node; containers hold nothing, and only a file of one block may have a small one. */
    void add(RemotePath path, NodeStatus status) throws Exception {
        long length = status.file().getType().isContainer() ? 0 : status.file().getCapacity();
        bytes += length;
        if (length > blockSizeBytes) {
            heldBytes += (length + blockSizeBytes - 1) / blockSizeBytes * blockSizeBytes;
        } else if (length > 0) {
            inFlight.add(namenode.ask(new LocateRequest(path.path(), 0, 1)));
        }
        if (inFlight.size() >= QUESTIONS_IN_FLIGHT) {
            take();
        }
    }

    /** Waits for all answers. */
    void await() throws Exception {
        while (!inFlight.isEmpty()) {
            take();
        }
    }

    private void take() throws InterruptedException, ExecutionException {
        try {
            BlockInfo block = inFlight.remove().get().blocks().get(0);
            heldBytes += block.getLength() - block.start(); // the length of a part is where it ends
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DatanodeLostException) {
                heldBytes += blockSizeBytes; // at most
            } else if (!(e.getCause() instanceof NodeNotFoundException)) { // deleted since it was listed
                throw e;
            }
        }
    }

    long bytes() {
        return bytes;
    }

    long heldBytes() {
        return heldBytes;
    }
}
