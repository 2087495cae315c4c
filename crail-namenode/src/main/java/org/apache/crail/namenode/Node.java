/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.Arrays;
import org.apache.crail.CrailNodeType;
import org.apache.crail.metadata.FileInfo;

/**
 * A node of the tree: 88 bytes plus its name, plus what a container has in addition. The namespace holds millions of
 * them, which is why the fields are plain and packed and the first block is held in place. Not thread safe: changed
 * under the namespace's write lock only, and read under it or optimistically.
 */
class Node {
    final long fd;
    private final byte type;

    /** See {@link ValueLengths}. */
    boolean lengthCounted;

    /** Whether {@link RemovedNodes} has it on its stack. */
    boolean isOnStack;

    /** Never null. */
    Traits traits;

    byte[] name;
    int nameHash;

    /**
     * Null for the root, and for nodes that were removed or replaced. Also of nodes that have yet to get their place
     * there.
     */
    Container parent;

    /** See {@link org.apache.crail.metadata.FileInfo#layout}. */
    long layout;

    /** Index of the record in the parent. */
    int slot = FileInfo.NO_SLOT;

    /** Files only; that of a container follows from its slots. */
    long capacityBytes;

    long modifiedMs;

    /** Null while nobody writes. */
    Writer writer;

    /** See {@link NodeBlocks}. */
    long firstBlock;

    /** See {@link NodeBlocks}; null for nodes of one block. */
    FurtherBlocks furtherBlocks;

    Node(long fd, CrailNodeType type, Traits traits) {
        this.fd = fd;
        this.type = (byte) type.getLabel();
        this.traits = traits;
    }

    final CrailNodeType type() {
        return CrailNodeType.parse(type);
    }

    /** Whether the parent lists it. */
    final boolean isEnumerable() {
        return slot != FileInfo.NO_SLOT;
    }

    final boolean isNamed(byte[] bytes, int from, int to) {
        byte[] own = name;
        return own != null && Arrays.equals(own, 0, own.length, bytes, from, to);
    }
}
