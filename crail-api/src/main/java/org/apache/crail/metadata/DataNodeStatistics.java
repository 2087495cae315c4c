/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** What the namenode knows of a datanode, in the form of Crail 1.x. Not thread safe. */
public class DataNodeStatistics {
    /** Bytes that {@link #write} writes. */
    public static final int CSIZE = Long.BYTES + Integer.BYTES;

    private long serviceId;
    private int freeBlockCount;

    /** Makes one that knows of no block. */
    public DataNodeStatistics() {}

    /** Writes {@link #CSIZE} bytes: service id, free blocks. Returns that number of bytes. */
    public int write(ByteBuffer target) {
        target.putLong(serviceId).putInt(freeBlockCount);
        return CSIZE;
    }

    /** Reads what {@link #write} wrote. */
    public void update(ByteBuffer source) throws UnknownHostException {
        serviceId = source.getLong();
        freeBlockCount = source.getInt();
    }

    /** The number of free blocks. */
    public int getFreeBlockCount() {
        return freeBlockCount;
    }

    /** Sets the number of free blocks. */
    public void setFreeBlockCount(int blocks) {
        this.freeBlockCount = blocks;
    }

    /** Copies another's values. */
    public void setStatistics(DataNodeStatistics other) {
        this.serviceId = other.serviceId;
        this.freeBlockCount = other.freeBlockCount;
    }

    /** Sets the place of the namenode among the namenodes. */
    public void setServiceId(long id) {
        this.serviceId = id;
    }

    /** The place of the namenode among the namenodes. */
    public long getServiceId() {
        return serviceId;
    }
}
