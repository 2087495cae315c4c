/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Which datanode of several gives the next block. Immutable. */
public enum BlockSelection {
    /** Each in turn. */
    ROUNDROBIN,

    /** One at random. */
    RANDOM,

    /** The first that has a free one. */
    SEQUENTIAL;

    /** Returns the selection that {@code crail.namenode.blockselection} names. */
    public static BlockSelection of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Where to begin among {@code size} datanodes when the last block came from number {@code last}. */
    int begin(int last, int size) {
        return switch (this) {
            case ROUNDROBIN -> last + 1 < size ? last + 1 : 0;
            case RANDOM -> ThreadLocalRandom.current().nextInt(size);
            case SEQUENTIAL -> 0;
        };
    }
}
