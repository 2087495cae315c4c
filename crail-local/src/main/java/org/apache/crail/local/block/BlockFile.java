/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

/**
 * A file that holds whole blocks of one size; its text tells people what it is on and where. Thread safe; the bytes are
 * not guarded.
 */
public interface BlockFile {
    /** In bytes, a multiple of the block size. */
    long length();

    /** Size of a block. */
    long blockBytes();

    /** Whether its medium has failed, so that what it holds may not be what was written. */
    default boolean hasFailed() {
        return false;
    }

    /** Looks for a failure of its medium of which nobody is told. */
    default void check() {}

    /** How many blocks it holds. */
    default int blocks() {
        return (int) (length() / blockBytes());
    }

    /** Whether a block can begin at this offset and have this length. */
    default boolean hasBlock(long offset, long bytes) {
        return offset >= 0
                && bytes >= 0
                && bytes <= blockBytes()
                && offset % blockBytes() == 0
                && offset <= length() - blockBytes();
    }

    /** Which block the byte at this offset belongs to. */
    default int blockOf(long offset) {
        return (int) (offset / blockBytes());
    }
}
