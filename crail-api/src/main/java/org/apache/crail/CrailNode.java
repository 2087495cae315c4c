/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/**
 * A node of the namespace, as it was when this handle was made. Handles stay cheap and hold no resources. All methods
 * are thread safe.
 */
public interface CrailNode {
    /** The store that the node lives in. */
    CrailStore getFileSystem();

    /** The path under which the node was created or looked up. */
    String getPath();

    /**
     * After this, listing the parent shows what was last done to this node, as looking its path up does. Waits only for
     * a node that was handed out {@linkplain Upcoming#early() early}.
     *
     * @return this
     * @throws Exception if the creation of such a node has failed
     */
    CrailNode syncDir() throws Exception;

    /** Last change in milliseconds since 1970, by the namenode's clock. */
    long getModificationTime();

    /**
     * Bytes in the node. For a node that was looked up, at that time; for the object of its writer, up to now. For a
     * container, crail.directoryrecord bytes for each child that is listed.
     */
    long getCapacity();

    /** The type. */
    CrailNodeType getType();

    /**
     * This node as a file.
     *
     * @throws Exception {@link org.apache.crail.error.NodeTypeMismatchException} if it is no DATAFILE
     */
    CrailFile asFile() throws Exception;

    /**
     * This node as a container.
     *
     * @throws Exception {@link org.apache.crail.error.NodeTypeMismatchException} if it is no DIRECTORY, MULTIFILE or
     *     TABLE
     */
    CrailContainer asContainer() throws Exception;

    /**
     * This node as a directory.
     *
     * @throws Exception {@link org.apache.crail.error.NodeTypeMismatchException} if it is no DIRECTORY
     */
    CrailDirectory asDirectory() throws Exception;

    /**
     * This node as a multi-file.
     *
     * @throws Exception {@link org.apache.crail.error.NodeTypeMismatchException} if it is no MULTIFILE
     */
    CrailMultiFile asMultiFile() throws Exception;

    /**
     * This node as a table.
     *
     * @throws Exception {@link org.apache.crail.error.NodeTypeMismatchException} if it is no TABLE
     */
    CrailTable asTable() throws Exception;

    /**
     * This node as a key-value.
     *
     * @throws Exception {@link org.apache.crail.error.NodeTypeMismatchException} if it is no KEYVALUE
     */
    CrailKeyValue asKeyValue() throws Exception;

    /**
     * Where the bytes of a range lie, one entry per block, in order; none if the node has no block, as one that was
     * closed empty, and the range begins within the first {@code crail.blocksize} bytes. Waits for the namenode.
     *
     * @param start first byte of the range
     * @param len number of bytes
     * @throws Exception {@link org.apache.crail.error.PositionOutOfRangeException} if one of them is negative or the
     *     range begins behind the last block, the first one counted also if the node has none
     */
    CrailBlockLocation[] getBlockLocations(long start, long len) throws Exception;
}
