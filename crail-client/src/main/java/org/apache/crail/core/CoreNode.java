/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailMultiFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailTable;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.FileInfo;

/** A node as the namenode described it. All methods are thread safe. */
class CoreNode implements CrailNode {
    private final CoreDataStore store;
    private final FileInfo info;
    private final String path;

    CoreNode(CoreDataStore store, FileInfo info, String path) {
        this.store = store;
        this.info = info;
        this.path = path;
    }

    /**
     * Makes the handle of a node.
     *
     * @param sentNs when the request was sent that {@code info} answers, by the store's clock
     */
    static CoreNode create(CoreDataStore store, FileInfo info, String path, long sentNs) {
        return info.getType().isContainer()
                ? new CoreDirectory(store, info, path)
                : new CoreFile(store, info, path, sentNs, true);
    }

    @Override
    public CoreDataStore getFileSystem() {
        return store;
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public long getModificationTime() {
        return info.getModificationTime();
    }

    @Override
    public long getCapacity() {
        return info.getCapacity();
    }

    @Override
    public CrailNodeType getType() {
        return info.getType();
    }

    /** The node's id; never used twice. */
    public long getFd() {
        return info.getFd();
    }

    final FileInfo info() {
        return info;
    }

    /** Lists show the node as soon as it has its place. */
    @Override
    public CoreNode syncDir() {
        return this;
    }

    @Override
    public CoreFile asFile() throws Exception {
        throw mismatch("DATAFILE");
    }

    @Override
    public CoreDirectory asContainer() throws Exception {
        throw mismatch("DIRECTORY, MULTIFILE or TABLE");
    }

    @Override
    public CoreDirectory asDirectory() throws Exception {
        throw mismatch("DIRECTORY");
    }

    @Override
    public CrailMultiFile asMultiFile() throws Exception {
        throw mismatch("MULTIFILE");
    }

    @Override
    public CrailTable asTable() throws Exception {
        throw mismatch("TABLE");
    }

    @Override
    public CrailKeyValue asKeyValue() throws Exception {
        throw mismatch("KEYVALUE");
    }

    final NodeTypeMismatchException mismatch(String wanted) {
        return new NodeTypeMismatchException(
                "file type mismatch, type " + getType() + ": " + path + " is no " + wanted);
    }

    @Override
    public CrailBlockLocation[] getBlockLocations(long start, long len) throws Exception {
        store.checkOpen();
        return store.runtime().locator().locate(path, getFd(), getCapacity(), start, len);
    }

    @Override
    public String toString() {
        return getType() + " " + path + ", fd " + getFd();
    }
}
