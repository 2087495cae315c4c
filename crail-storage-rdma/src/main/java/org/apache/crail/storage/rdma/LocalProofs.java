/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.local.block.LocalClaim;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.device.DirectTransfer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether files on this host are the memory of a datanode: what is in a file must be what the device reads
 * there. Thread safe.
 */
final class LocalProofs {
    private static final Logger LOG = LoggerFactory.getLogger(LocalProofs.class);

    private final Path localPath;

    /**
     * Left by datanodes that have crashed, made by others, or not to be read: each would cost a connection each time.
     */
    private final Set<UUID> disproved = ConcurrentHashMap.newKeySet();

    /** What proofs are read into and no device touches now: as many as were read at once, each registered once. */
    private final Queue<CrailBuffer> spares = new ConcurrentLinkedQueue<>();

    /**
     * Begins with nothing known.
     *
     * @param localPath where to look, or null not to use memory of this host
     */
    LocalProofs(Path localPath) {
        this.localPath = localPath;
    }

    /** What may be the memory of a datanode. */
    List<LocalClaim> claims(InetSocketAddress datanode) {
        if (localPath == null) {
            return List.of();
        }
        return LocalClaim.find(localPath, RdmaDatanodeSettings.KEYS.directoryName(datanode), datanode).stream()
                .filter(claim -> !disproved.contains(claim.offer().token()))
                .toList();
    }

    /**
     * Reads the proof through the device; waits for it. If that fails, for whatever reason, the device is used and the
     * claim not tried again; the session may have ended then.
     */
    boolean isTrue(LocalClaim claim, DataNodeInfo datanode, LinkSession session, long deadlineNs) throws IOException {
        CrailBuffer spare = spares.poll();
        CrailBuffer into =
                spare != null ? spare : OffHeapBuffer.wrap(ByteBuffer.allocateDirect(LocalOffer.PROOF_BYTES));
        String flaw = flaw(claim, datanode, session, into, deadlineNs);
        spares.add(into);
        if (flaw != null) {
            LOG.info(
                    "{} is not used as the memory of datanode {}, which is reached through the device: {}",
                    claim.offer().directory(),
                    datanode,
                    flaw);
            disproved.add(claim.offer().token());
        }
        return flaw == null;
    }

    /** What is wrong with a claim, or null if it is true. The device does not touch the buffer any more. */
    private static String flaw(
            LocalClaim claim, DataNodeInfo datanode, LinkSession session, CrailBuffer into, long deadlineNs) {
        BlockInfo proof = new BlockInfo(datanode, 0, claim.address(), LocalOffer.PROOF_BYTES, claim.key(), 0);
        RdmaTransfer read = new RdmaTransfer(
                new DirectTransfer.Range(false, proof, 0, into, 0, LocalOffer.PROOF_BYTES, deadlineNs));
        String flaw;
        try {
            if (!session.submit(read)) {
                return "the connection ended before its proof was read";
            }
            read.get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            boolean isProved = claim.isProvedBy(into.getByteBuffer().slice(0, LocalOffer.PROOF_BYTES));
            return isProved ? null : "the datanode has something else in its place";
        } catch (ExecutionException e) {
            return "its proof cannot be read: " + e.getCause().getMessage();
        } catch (TimeoutException e) {
            flaw = "its proof was not read in time";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            flaw = "connecting was interrupted";
        }
        session.end(new DatanodeUnreachableException(flaw)); // which takes the buffer from the device
        return flaw;
    }
}
