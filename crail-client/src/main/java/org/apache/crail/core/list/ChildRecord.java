/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.apache.crail.CrailPath;
import org.apache.crail.rpc.message.RecordKey;

/**
 * The record by which a container's data names one child: valid flag (int, 1), length of the name in bytes (int), name
 * in UTF-8, id of the child (long), id of the container (long), CRC32C of all before it (int); zeros up to the record
 * size. A record counts only if its checksum is right and the namenode says that its child lives in its slot.
 * Immutable.
 */
public final class ChildRecord {
    private static final int VALID = 1;
    private static final int FIXED_BYTES = 4 + 4 + 8 + 8 + 4;

    private final String parent;
    private final String name;
    private final long fd;
    private final long parentFd;
    private final boolean valid;

    /**
     * Makes a record.
     *
     * @param parent path of the container
     * @param name name of the child
     * @param valid whether the child is known to live in the record's slot
     */
    public ChildRecord(String parent, String name, long fd, long parentFd, boolean valid) {
        this.parent = parent;
        this.name = name;
        this.fd = fd;
        this.parentFd = parentFd;
        this.valid = valid;
    }

    /** Whether listing the container shows the child. */
    public boolean isValid() {
        return valid;
    }

    /** Name of the child. */
    public String name() {
        return name;
    }

    /** Path of the container. */
    public String parent() {
        return parent;
    }

    /** Path of the child. */
    public String path() {
        return parent.endsWith("/") ? parent + name : parent + "/" + name;
    }

    /** Whether this record was written for the node, with its present name, that has a key in a container. */
    public boolean belongsTo(long container, long key) {
        return parentFd == container && RecordKey.of(fd, name.getBytes(StandardCharsets.UTF_8)) == key;
    }

    /** This record, as the namenode confirms or denies it. */
    ChildRecord confirmed(boolean lives) {
        return lives == valid ? this : new ChildRecord(parent, name, fd, parentFd, lives);
    }

    /** Fills {@code record}, from its position to its limit, which is one record. */
    void encode(ByteBuffer record) {
        int start = record.position();
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        record.putInt(VALID).putInt(utf8.length).put(utf8).putLong(fd).putLong(parentFd);
        record.putInt(checksum(record, start, record.position()));
        while (record.hasRemaining()) {
            record.put((byte) 0);
        }
    }

    /**
     * Reads a record.
     *
     * @param page holds it
     * @param start where it begins
     * @param size of a record
     * @return the record, not yet confirmed; null if there is none, or one that was not written completely
     */
    static ChildRecord decode(ByteBuffer page, int start, int size, String parent) {
        int length = page.getInt(start + 4);
        if (page.getInt(start) != VALID
                || length < 1
                || length > CrailPath.MAX_COMPONENT_BYTES
                || length + FIXED_BYTES > size) {
            return null;
        }
        int end = start + 8 + length;
        if (page.getInt(end + 16) != checksum(page, start, end + 16)) {
            return null;
        }
        byte[] utf8 = new byte[length];
        page.get(start + 8, utf8);
        return new ChildRecord(
                parent, new String(utf8, StandardCharsets.UTF_8), page.getLong(end), page.getLong(end + 8), false);
    }

    private static int checksum(ByteBuffer bytes, int start, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(end).position(start));
        return (int) crc.getValue();
    }

    @Override
    public String toString() {
        return path() + (valid ? "" : " (not valid)");
    }
}
