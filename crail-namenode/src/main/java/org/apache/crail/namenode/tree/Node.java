/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.metadata.Ownership;

/**
 * A node of the tree: 88 bytes plus its name, plus what a container has in addition. The namespace holds millions of
 * them, which is why the fields are plain and packed and the first block is held in place. Not thread safe: changed
 * under the namespace's write lock only, and read under it or optimistically.
 */
public class Node {
    private static final int ENUMERABLE = 1;
    private static final int LENGTH_COUNTED = 1 << 1;
    private static final int ON_STACK = 1 << 2;

    final long fd;
    private final byte type;

    private byte flags;

    /** Never null. */
    Attributes attributes;

    byte[] name;
    int nameHash;

    /** See {@link #parent()}. */
    Container parent;

    /** See {@link org.apache.crail.metadata.FileInfo#layout}. */
    long layout;

    /** 0 for a container. */
    long capacityBytes;

    long modifiedMs;

    /** See {@link #expiresMs()}; negative if the node {@link #hasEnd() has an end}. */
    long expiry;

    /** Null while nobody writes. */
    Writer writer;

    /** See {@link NodeBlocks}. */
    long firstBlock;

    /** See {@link NodeBlocks}; null for nodes of one block. */
    BlockList blocksAfterFirst;

    Node(long fd, CrailNodeType type, boolean isEnumerable, Attributes attributes) {
        this.fd = fd;
        this.type = (byte) type.getLabel();
        this.flags = isEnumerable ? (byte) ENUMERABLE : 0;
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

    /** What is created in a container inherits this; a file or key-value has it from each close on. 0 for no limit. */
    public final long timeToLiveMs() {
        return attributes.timeToLiveMs;
    }

    /** Whether it goes at some time by itself. */
    public final boolean expires() {
        return expiry != 0;
    }

    /** When it goes, in time as far as the namenode ran; 0 if it stays. */
    public final long expiresMs() {
        return Math.abs(expiry);
    }

    /**
     * Whether it goes at that time with all that is in it; a container that inherited its time stays until it is empty.
     */
    public final boolean hasEnd() {
        return expiry < 0;
    }

    /** Whose it is. */
    public final Ownership ownership() {
        return attributes.ownership;
    }

    /** A number that rises with each change that makes a location wrong which has been told. */
    public final long layout() {
        return layout;
    }

    /** Whether the parent lists it. */
    public final boolean isEnumerable() {
        return (flags & ENUMERABLE) != 0;
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

    /** Whether the length of this node has been learnt from; for its allocator. */
    public final boolean isLengthCounted() {
        return (flags & LENGTH_COUNTED) != 0;
    }

    /** Notes that the length of this node has been learnt from. */
    public final void countLength() {
        flags |= LENGTH_COUNTED;
    }

    /** Whether {@link RemovedNodes} has it on its stack, or had it. */
    final boolean isOnStack() {
        return (flags & ON_STACK) != 0;
    }

    /** Notes that {@link RemovedNodes} has it on its stack. */
    final void putOnStack() {
        flags |= ON_STACK;
    }

    /** Its path, for messages; what is left of it after the node was removed or replaced. */
    @Override
    public final String toString() {
        String path = "";
        Node node = this;
        Node above = node.parent;
        while (above != null && path.length() <= CrailPath.MAX_PATH_BYTES) { // an optimistic reader may see a circle
            path = "/" + node.nameText() + path;
            node = above;
            above = node.parent;
        }
        String top = node.nameText(); // empty for the root
        return top.isEmpty() && path.isEmpty() ? "/" : top + path;
    }

    private String nameText() {
        byte[] own = name;
        return own == null ? "(a new node)" : new String(own, StandardCharsets.UTF_8);
    }
}
