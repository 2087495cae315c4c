/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Arrays;
import org.apache.crail.CrailNodeType;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Ownership;

/**
 * A node of the tree: 88 bytes plus its name, plus what a container has in addition. The namespace holds millions of
 * them, which is why the fields are plain and packed and the first block is held in place. Not thread safe: changed
 * under the namespace's write lock only, and read under it or optimistically.
 */
public class Node {
    final long fd;
    private final byte type;

    private boolean isLengthCounted;

    /** Whether {@link RemovedNodes} has it on its stack. */
    boolean isOnStack;

    /** Never null. */
    Attributes attributes;

    byte[] name;
    int nameHash;

    /** See {@link #parent()}. */
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
    BlockList blocksAfterFirst;

    Node(long fd, CrailNodeType type, Attributes attributes) {
        this.fd = fd;
        this.type = (byte) type.getLabel();
        this.attributes = attributes;
    }

    /** Its id, never used twice. */
    public final long fd() {
        return fd;
    }

    /** What kind of node it is. */
    public final CrailNodeType type() {
        return CrailNodeType.parse(type);
    }

    /** Its name in UTF-8, without the path above; not a copy, and not to be changed. */
    public final byte[] name() {
        return name;
    }

    final boolean isNamed(byte[] bytes, int from, int to) {
        byte[] own = name;
        return own != null && Arrays.equals(own, 0, own.length, bytes, from, to);
    }

    /**
     * Where it hangs, or is going to hang when it gets its place. Null for the root, and for nodes that were removed or
     * replaced.
     */
    public final Container parent() {
        return parent;
    }

    /** Where its blocks are preferably allocated: a level of media. */
    public final int storageClass() {
        return attributes.storageClass;
    }

    /** Where its blocks are preferably allocated: a group of hosts. */
    public final int locationClass() {
        return attributes.locationClass;
    }

    /** Whose it is. */
    public final Ownership ownership() {
        return attributes.ownership;
    }

    /** A number that rises with each change that makes a location wrong which has been told. */
    public final long layout() {
        return layout;
    }

    /** The index of its record in the parent, or {@link FileInfo#NO_SLOT}. */
    public final int slot() {
        return slot;
    }

    /** Sets the index of its record. */
    public final void slot(int index) {
        slot = index;
    }

    /** Whether the parent lists it. */
    public final boolean isEnumerable() {
        return slot != FileInfo.NO_SLOT;
    }

    /** How many bytes of a file readers may read; 0 for a container. */
    public final long capacityBytes() {
        return capacityBytes;
    }

    /** Shows readers so many bytes. */
    public final void capacityBytes(long bytes) {
        capacityBytes = bytes;
    }

    /** When it was changed last, in milliseconds since 1970. */
    public final long modifiedMs() {
        return modifiedMs;
    }

    /** Notes when it was changed. */
    public final void modifiedMs(long nowMs) {
        modifiedMs = nowMs;
    }

    /** Who writes it; null while nobody does. */
    public final Writer writer() {
        return writer;
    }

    /** Whether the length of this value has been learnt from; for its allocator. */
    public final boolean isLengthCounted() {
        return isLengthCounted;
    }

    /** Notes that the length of this value has been learnt from. */
    public final void countLength() {
        isLengthCounted = true;
    }
}
