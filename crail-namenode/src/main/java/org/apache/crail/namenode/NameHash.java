/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hashes names, eight bytes at a time, with a seed that clients do not know, so that nobody can choose names that
 * collide. Immutable.
 */
final class NameHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int BYTE_MASK = 0xFF;

    private final long seed;

    NameHash(long seed) {
        this.seed = seed;
    }

    int of(byte[] name) {
        return of(name, 0, name.length);
    }

    int of(byte[] bytes, int from, int to) {
        long hash = seed ^ (to - from);
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < to; at++) {
            rest = rest << Byte.SIZE | (bytes[at] & BYTE_MASK);
        }
        return fold(mix(hash ^ rest));
    }

    /** Spreads the ids of nodes, which are consecutive. */
    static int of(long fd) {
        return fold(mix(fd));
    }

    private static long mix(long value) {
        long product = value * MULTIPLIER;
        return (product ^ product >>> 29) * MULTIPLIER;
    }

    private static int fold(long value) {
        return (int) (value >>> 32);
    }
}
