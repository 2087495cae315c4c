/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import org.apache.crail.error.NodeTypeMismatchException;

/** What files and bags of a {@link FakeStore} share. */
abstract class FakeNode implements CrailNode {
    final FakeStore store;
    private final String path;
    private final CrailNodeType type;

    FakeNode(FakeStore store, String path, CrailNodeType type) {
        this.store = store;
        this.path = path;
        this.type = type;
    }

    @Override
    public CrailStore getFileSystem() {
        return store;
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public CrailNode syncDir() {
        return this;
    }

    @Override
    public long getModificationTime() {
        return 0;
    }

    @Override
    public CrailNodeType getType() {
        return type;
    }

    @Override
    public CrailFile asFile() throws Exception {
        throw mismatch();
    }

    @Override
    public CrailContainer asContainer() throws Exception {
        throw mismatch();
    }

    @Override
    public CrailDirectory asDirectory() throws Exception {
        throw mismatch();
    }

    @Override
    public CrailMultiFile asMultiFile() throws Exception {
        throw mismatch();
    }

    @Override
    public CrailTable asTable() throws Exception {
        throw mismatch();
    }

    @Override
    public CrailKeyValue asKeyValue() throws Exception {
        throw mismatch();
    }

    @Override
    public CrailBlockLocation[] getBlockLocations(long start, long len) {
        return new CrailBlockLocation[0];
    }

    private NodeTypeMismatchException mismatch() {
        return new NodeTypeMismatchException("file type mismatch, type " + type);
    }
}
