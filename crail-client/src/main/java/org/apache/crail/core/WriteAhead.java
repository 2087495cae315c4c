/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.core.block.BlockMapper;
import org.apache.crail.core.call.ClusterSettings;

/**
 * How many blocks an output stream asks for ahead: what its hint promises, but not many more than it has used so far.
 * Immutable.
 */
final class WriteAhead {
    /** Blocks that are asked for at a time while the file is small, whatever the hint promises. */
    private static final int FIRST_BATCH = 8;

    /** The most blocks that are asked for ahead of what nobody has promised to write. */
    private static final int MOST_FORESEEN = 16;

    /** A file of so many blocks probably goes on. */
    private static final int FORESEEN_FROM = 4;

    private final ClusterSettings settings;
    private final long begin;
    private final long hint;
    private final boolean isFile;

    /**
     * Makes the one of a stream.
     *
     * @param begin the position of the first write
     * @param hint how many bytes the file is promised to have
     * @param isFile whether it is a file, not a value
     */
    WriteAhead(ClusterSettings settings, long begin, long hint, boolean isFile) {
        this.settings = settings;
        this.begin = begin;
        this.hint = hint;
        this.isFile = isFile;
    }

    /** How many blocks to ask for behind those of a write up to {@code end}. */
    int batch(long end) {
        return end < hint ? promised(end) : foreseen(end);
    }

    /** The last block that a stream which has written up to {@code end} will write, as far as that is known. */
    long last(long end) {
        return end < hint ? settings.blockIndex(hint - 1) : settings.blockIndex(end - 1) + foreseen(end);
    }

    /**
     * A file that has some blocks without a hint, or in spite of it, will probably go on, so that half as many are
     * asked for at a time. What it does not use is not free at once when it is closed, so that a store of short files
     * would hold fewer. A value does not: most are short.
     */
    private int foreseen(long end) {
        long used = used(end);
        boolean goesOn = end > hint && used >= FORESEEN_FROM && isFile;
        return goesOn ? (int) Math.min(MOST_FORESEEN, used / 2) : 0;
    }

    private int promised(long end) {
        long left = settings.blockIndex(hint - 1) - settings.blockIndex(end - 1);
        if (left <= BlockMapper.MAX_BATCH
                && settings.blockIndex(hint - 1) - settings.blockIndex(begin) <= BlockMapper.MAX_BATCH) {
            return (int) left;
        }
        return (int) Math.min(Math.min(left, BlockMapper.MAX_BATCH), Math.max(FIRST_BATCH, 2 * used(end)));
    }

    private long used(long end) {
        return settings.blockIndex(end - 1) - settings.blockIndex(begin) + 1;
    }
}
