/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

/**
 * What a directory record and the namenode must agree on: a hash of the node's id and its present name, so that neither
 * the record of a former node in the slot nor one with a former name of the node is taken for valid. FNV-1a over the
 * name, finished with the mixer of MurmurHash3. Stateless.
 */
public final class RecordKey {
    /** Stands for a free slot; no node has this key. */
    public static final long FREE = 0;

    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private RecordKey() {}

    /** The key of the node {@code fd} while its name is {@code nameUtf8}. */
    public static long of(long fd, byte[] nameUtf8) {
        long hash = FNV_OFFSET;
        for (byte b : nameUtf8) {
            hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
        }
        long key = mix(hash ^ mix(fd));
        return key == FREE ? 1 : key;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
