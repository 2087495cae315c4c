/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.direct.DirectTransfer;
import org.apache.crail.storage.memory.LocalClaim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether files on this host are the memory of a datanode: what is in a file must be what the device reads there.
 * Thread safe.
 */
final class LocalProofs {
    private static final Logger LOG = LoggerFactory.getLogger(LocalProofs.class);

    private final ClientSettings settings;

    /** Left by datanodes that have crashed, or made by others; each would cost a connection each time. */
    private final Set<UUID> disproved = ConcurrentHashMap.newKeySet();

    LocalProofs(ClientSettings settings) {
        this.settings = settings;
    }

    /** What may be the memory of a datanode. */
    List<LocalClaim> open(DataNodeInfo datanode) throws IOException {
        if (settings.localPath() == null) {
            return List.of();
        }
        return LocalClaim.find(settings.localPath(), DatanodeSettings.KEYS, Connector.addressOf(datanode)).stream()
                .filter(claim -> !disproved.contains(claim.offer().token()))
                .toList();
    }

    /**
     * Reads the proof through the device; waits for it. If the datanode has no such memory, the session ends.
     *
     * @throws IOException if it does not answer for another reason; then the session has ended, too
     */
    boolean isTrue(LocalClaim claim, DataNodeInfo datanode, LinkSession session) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LocalClaim.PROOF_BYTES);
        boolean isTrue = isRead(claim, datanode, session, OffHeapBuffer.wrap(bytes)) && claim.isProvedBy(bytes);
        if (!isTrue) {
            LOG.info(
                    "{} is not the memory of datanode {}, which is reached through the device",
                    claim.offer().directory(),
                    datanode);
            disproved.add(claim.offer().token());
        }
        return isTrue;
    }

    private boolean isRead(LocalClaim claim, DataNodeInfo datanode, LinkSession session, CrailBuffer into)
            throws IOException {
        BlockInfo proof = new BlockInfo(datanode, 0, claim.address(), LocalClaim.PROOF_BYTES, claim.key(), 0);
        long timeoutNs = TimeUnit.MILLISECONDS.toNanos(settings.connectTimeoutMs());
        RdmaTransfer read = new RdmaTransfer(new DirectTransfer.Range(
                false, proof, 0, into, 0, LocalClaim.PROOF_BYTES, System.nanoTime() + timeoutNs));
        try {
            if (!session.submit(read)) {
                throw broken("the connection ended before a first read", session, null);
            }
            return read.get(timeoutNs, TimeUnit.NANOSECONDS) == LocalClaim.PROOF_BYTES;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException refused && refused.code() == ErrorCode.STALE_BLOCK) {
                return false;
            }
            throw broken("a first read failed: " + e.getCause().getMessage(), session, e);
        } catch (TimeoutException e) {
            throw broken("it did not answer a first read in time", session, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw broken("connecting was interrupted", session, e);
        }
    }

    /** Nobody but the caller knows the session yet, and the device must not touch the buffer any more. */
    private static IOException broken(String why, LinkSession session, Exception cause) {
        session.end(new DatanodeUnreachableException(why, cause));
        return new IOException(why, cause);
    }
}
