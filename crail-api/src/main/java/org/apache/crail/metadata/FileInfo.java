/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.util.Objects;
import org.apache.crail.CrailNodeType;

/**
 * What the namenode knows of a node at one moment. Immutable.
 */
public class FileInfo {
    private final long fd;
    private final CrailNodeType type;
    private final long capacity;
    private final long token;
    private final long modificationTimeMs;
    private final boolean enumerable;
    private final int children;
    private final int storageClass;
    private final int locationClass;
    private final long layout;

    /**
     * Describes a node.
     *
     * @param fd the node's id; never used twice by a namenode
     * @param type its type
     * @param capacity bytes it holds; 0 for a container
     * @param token the write token if this caller may write, else 0
     * @param modificationTimeMs last change, milliseconds since 1970 by the namenode's clock
     * @param enumerable whether listing its parent shows it
     * @param children for a container the number of its enumerable children, else 0
     * @param storageClass where its blocks are preferably allocated
     * @param locationClass where its blocks are preferably placed
     * @param layout the version of its blocks that the capacity belongs to
     */
    public FileInfo(
            long fd,
            CrailNodeType type,
            long capacity,
            long token,
            long modificationTimeMs,
            boolean enumerable,
            int children,
            int storageClass,
            int locationClass,
            long layout) {
        this.fd = fd;
        this.type = Objects.requireNonNull(type, "type");
        this.capacity = capacity;
        this.token = token;
        this.modificationTimeMs = modificationTimeMs;
        this.enumerable = enumerable;
        this.children = children;
        this.storageClass = storageClass;
        this.locationClass = locationClass;
        this.layout = layout;
    }

    public long getFd() {
        return fd;
    }

    public CrailNodeType getType() {
        return type;
    }

    public long getCapacity() {
        return capacity;
    }

    public long getToken() {
        return token;
    }

    public long getModificationTime() {
        return modificationTimeMs;
    }

    /** Whether listing its parent shows it. */
    public boolean isEnumerable() {
        return enumerable;
    }

    /** For a container the number of its enumerable children, else 0. */
    public int children() {
        return children;
    }

    public int storageClass() {
        return storageClass;
    }

    public int locationClass() {
        return locationClass;
    }

    /**
     * The version of the node's blocks that the capacity belongs to. It rises whenever a block of the node is taken
     * away, replaced or given a new epoch.
     */
    public long layout() {
        return layout;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileInfo that
                && fd == that.fd
                && type == that.type
                && capacity == that.capacity
                && token == that.token
                && modificationTimeMs == that.modificationTimeMs
                && enumerable == that.enumerable
                && children == that.children
                && storageClass == that.storageClass
                && locationClass == that.locationClass
                && layout == that.layout;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(fd);
    }

    @Override
    public String toString() {
        return type + " " + fd + ", capacity " + capacity;
    }
}
