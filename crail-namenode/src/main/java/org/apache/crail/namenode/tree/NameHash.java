/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.crail.internal.Surroundings;

/**
 * Hashes names with a secret key, so that nobody can choose names that collide. Listings show the order of the hashes,
 * and that does not help either: SipHash (Aumasson and Bernstein, INDOCRYPT 2012) with one round for each word and
 * three at the end. Immutable.
 */
final class NameHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ROUNDS = 1;
    private static final int LAST_ROUNDS = 3;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** What the algorithm begins with, besides the key, and what tells its end. */
    private static final long V0 = 0x736f6d6570736575L;

    private static final long V1 = 0x646f72616e646f6dL;
    private static final long V2 = 0x6c7967656e657261L;
    private static final long V3 = 0x7465646279746573L;
    private static final long FINAL = 0xFF;

    private final long key0;
    private final long key1;

    NameHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /** With a key that nobody knows. */
    static NameHash ofSecret() {
        return new NameHash(Surroundings.nextSecret(), Surroundings.nextSecret());
    }

    int of(byte[] name) {
        return of(name, 0, name.length);
    }

    int of(byte[] bytes, int from, int to) {
        return fold(hash(bytes, from, to, ROUNDS, LAST_ROUNDS));
    }

    /** SipHash of a range of bytes, with so many rounds for each word and so many at the end. */
    long hash(byte[] bytes, int from, int to, int rounds, int lastRounds) {
        long v0 = key0 ^ V0;
        long v1 = key1 ^ V1;
        long v2 = key0 ^ V2;
        long v3 = key1 ^ V3;
        boolean isLast = false;
        for (int at = from; !isLast; at += Long.BYTES) {
            isLast = at + Long.BYTES > to;
            long word = isLast ? lastWord(bytes, at, to, to - from) : (long) LONGS.get(bytes, at);
            v3 ^= word;
            int end = isLast ? rounds + lastRounds : rounds;
            for (int round = 0; round < end; round++) {
                if (round == rounds) { // the last word has had its rounds, and those at the end begin
                    v0 ^= word;
                    v2 ^= FINAL;
                }
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v1;
                v0 += v3;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
            if (!isLast) {
                v0 ^= word;
            }
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    /** The bytes that are left, fewer than eight, and the length of all. */
    private static long lastWord(byte[] bytes, int from, int to, int length) {
        long word = (long) length << (Long.SIZE - Byte.SIZE);
        for (int i = from; i < to; i++) {
            word |= Byte.toUnsignedLong(bytes[i]) << ((i - from) * Byte.SIZE);
        }
        return word;
    }

    /** Spreads the ids of nodes, which are consecutive. */
    static int of(long fd) {
        long product = fd * MULTIPLIER;
        return fold((product ^ product >>> 29) * MULTIPLIER);
    }

    private static int fold(long value) {
        return (int) (value >>> 32);
    }
}
