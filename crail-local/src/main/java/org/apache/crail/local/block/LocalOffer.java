/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.crail.internal.OwnFiles;

/**
 * What a client on a datanode's host needs to find the files of its regions. Immutable.
 *
 * @param directory where the files are, as the datanode sees it
 * @param token that the fence files there must hold
 * @param stamp which the fence files there must have reached; 0 if the client has another proof that they are the
 *     datanode's
 */
public record LocalOffer(Path directory, UUID token, long stamp) {
    /** Length of the proof. */
    public static final int PROOF_BYTES = 2 * Long.BYTES;

    /** An offer to who has another proof than the stamp. */
    public LocalOffer(Path directory, UUID token) {
        this(directory, token, 0);
    }

    /** Whether both are about the same regions. */
    boolean isOfSameStart(LocalOffer other) {
        return directory.equals(other.directory) && token.equals(other.token);
    }

    /** What whoever can read the datanode's memory finds there, if the directory is the datanode's. */
    public byte[] proof() {
        return ByteBuffer.allocate(PROOF_BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(token.getMostSignificantBits())
                .putLong(token.getLeastSignificantBits())
                .array();
    }

    /**
     * The files of regions by their keys, those that are there now.
     *
     * @throws IOException if the directory cannot be read, or is not the user's own
     */
    Map<Integer, Path> regions() throws IOException {
        OwnFiles.requireDirectory(directory);
        return FenceFile.in(directory).stream()
                .flatMap(file -> FenceFile.head(file).stream())
                .filter(head -> token.equals(head.token()))
                .collect(Collectors.toMap(FenceFile.Head::key, FenceFile.Head::region, (one, other) -> one));
    }
}
