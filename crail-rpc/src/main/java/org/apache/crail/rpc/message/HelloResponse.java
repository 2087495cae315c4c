/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.StringJoiner;

/**
 * Accepts a session and tells what is equal for the whole cluster.
 *
 * @param clusterId the cluster that the namenode serves
 * @param incarnation changes each time the namenode starts without its former state
 * @param blockSizeBytes the size of a block
 * @param smallBlockBytes the size of the parts of blocks that small nodes share, 0 if none are shared
 * @param storageClasses the number of storage classes
 * @param tokenExpirationMs the life of a write token and the delay before freed blocks are given out again; a block
 *     location may be used for half of it
 */
public record HelloResponse(
        String clusterId,
        long incarnation,
        int blockSizeBytes,
        int smallBlockBytes,
        int storageClasses,
        long tokenExpirationMs)
        implements Response {

    /** Says in which values, apart from the incarnation, this differs from {@code before}; empty if in none. */
    public String differences(HelloResponse before) {
        StringJoiner text = new StringJoiner(", ");
        describe(text, "crail.clusterid", clusterId, before.clusterId);
        describe(text, "crail.blocksize", blockSizeBytes, before.blockSizeBytes);
        describe(text, "crail.smallblocksize", smallBlockBytes, before.smallBlockBytes);
        describe(text, "crail.storage.classes", storageClasses, before.storageClasses);
        describe(text, "crail.tokenexpiration in ms", tokenExpirationMs, before.tokenExpirationMs);
        return text.toString();
    }

    private static void describe(StringJoiner text, String key, Object now, Object before) {
        if (!now.equals(before)) {
            text.add(key + " " + now + " instead of " + before);
        }
    }

    @Override
    public int encodedLength() {
        return Wire.textLength(clusterId) + 8 + 4 + 4 + 4 + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putText(out, clusterId);
        out.putLong(incarnation);
        out.putInt(blockSizeBytes);
        out.putInt(smallBlockBytes);
        out.putInt(storageClasses);
        out.putLong(tokenExpirationMs);
    }

    static HelloResponse decode(ByteBuffer in) {
        String clusterId = Wire.getText(in);
        long incarnation = in.getLong();
        int blockSizeBytes = in.getInt();
        int smallBlockBytes = in.getInt();
        int storageClasses = in.getInt();
        long tokenExpirationMs = in.getLong();
        return new HelloResponse(
                clusterId, incarnation, blockSizeBytes, smallBlockBytes, storageClasses, tokenExpirationMs);
    }
}
