/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.util.Objects;

/**
 * Where a block lies: a range of a region of a datanode, and the epoch of its allocation. Each time the namenode gives
 * a block to a node the epoch is higher; a tier that can refuse transfers refuses those with a lower epoch than it has
 * seen. Immutable.
 */
public class BlockInfo {
    private final DataNodeInfo datanode;
    private final long lba;
    private final long address;
    private final int start;
    private final int length;
    private final int key;
    private final long epoch;

    private BlockInfo(DataNodeInfo datanode, long lba, long address, int start, int length, int key, long epoch) {
        this.datanode = Objects.requireNonNull(datanode, "datanode");
        this.lba = lba;
        this.address = address;
        this.start = start;
        this.length = length;
        this.key = key;
        this.epoch = epoch;
    }

    /**
     * Describes a block.
     *
     * @param datanode where it lies
     * @param lba offset in bytes within all that the datanode registered; unique on the datanode
     * @param address tier specific: offset in the region (tcp), remote address (rdma), offset in the namespace (nvmf)
     * @param length size in bytes
     * @param key tier specific name of the region
     * @param epoch the allocation's epoch
     */
    public BlockInfo(DataNodeInfo datanode, long lba, long address, int length, int key, long epoch) {
        this(datanode, lba, address, 0, length, key, epoch);
    }

    /** As above with epoch 0, for code written for Crail 1.x. */
    public BlockInfo(DataNodeInfo datanode, long lba, long address, int length, int key) {
        this(datanode, lba, address, length, key, 0);
    }

    public DataNodeInfo getDnInfo() {
        return datanode;
    }

    public long getLba() {
        return lba;
    }

    public long getAddr() {
        return address;
    }

    /** Size in bytes of a whole block. For a part, where it ends in the block: its size is that less {@link #start}. */
    public int getLength() {
        return length;
    }

    public int getLkey() {
        return key;
    }

    /**
     * The part of this block from {@code partStart} on that a small node has. It keeps the address, and ends with the
     * part; offsets of transfers count from the begin of the block.
     */
    public BlockInfo part(int partStart, int partLength) {
        return new BlockInfo(datanode, lba, address, partStart, partStart + partLength, key, epoch);
    }

    /** Offset in the block of the node's first byte; 0 but for small nodes that share the block. */
    public int start() {
        return start;
    }

    /** The epoch of the allocation that this location belongs to. */
    public long epoch() {
        return epoch;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockInfo that
                && lba == that.lba
                && address == that.address
                && start == that.start
                && length == that.length
                && key == that.key
                && epoch == that.epoch
                && datanode.equals(that.datanode);
    }

    @Override
    public int hashCode() {
        return 31 * datanode.hashCode() + Long.hashCode(lba);
    }

    @Override
    public String toString() {
        return "block " + lba + "+" + (start == 0 ? "" : start + "..") + length + " of " + datanode.address()
                + ", region " + key + ", epoch " + epoch;
    }
}
