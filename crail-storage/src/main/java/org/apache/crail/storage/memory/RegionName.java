/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What locations of blocks call a region, so that clients on this host find its file. Immutable.
 *
 * @param key of the region
 * @param address of its first byte
 * @param proofKey with which clients can read the token of its fence file out of the datanode's memory; 0 if they cannot
 */
public record RegionName(int key, long address, int proofKey) {
    /** Names a region whose fence file is about to be made. */
    public interface Giver {
        /**
         * Names it.
         *
         * @param head of the fence file as the datanode maps it, which stays where it is as long as the datanode runs
         * @throws IOException if the region cannot be shared
         */
        RegionName name(ByteBuffer head) throws IOException;
    }
}
