/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailContainer;
import org.apache.crail.CrailDirectory;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailMultiFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStore;
import org.apache.crail.CrailTable;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.NodeTypeMismatchException;

/**
 * A file or key-value whose creation may still be in flight; the first real use waits for it. Methods that declare no
 * exception throw an {@link UncheckedIOException} if the creation failed. Thread safe.
 */
class CoreEarlyFile implements CrailFile, CrailKeyValue {
    private final CoreDataStore store;
    private final String path;
    private final CrailNodeType type;
    private final CreateOperation creation;

    CoreEarlyFile(CoreDataStore store, String path, CrailNodeType type, CreateOperation creation) {
        this.store = store;
        this.path = path;
        this.type = type;
        this.creation = creation;
    }

    private CoreFile created() throws IOException {
        return (CoreFile)
                Waiting.await(creation.toString(), creation, store.calls().waitLimitMs());
    }

    private CoreFile createdUnchecked() {
        try {
            return created();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public CrailInputStream getDirectInputStream(long readHint) throws Exception {
        return created().getDirectInputStream(readHint);
    }

    @Override
    public CrailOutputStream getDirectOutputStream(long writeHint) throws Exception {
        return created().getDirectOutputStream(writeHint);
    }

    @Override
    public CrailOutputStream openForAppend(long writeHint) throws Exception {
        return created().openForAppend(writeHint);
    }

    @Override
    public long getToken() {
        return createdUnchecked().getToken();
    }

    @Override
    public long getFd() {
        return createdUnchecked().getFd();
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
    public CrailNode syncDir() throws Exception {
        CoreFile ignored = created();
        return this;
    }

    @Override
    public long getModificationTime() {
        return createdUnchecked().getModificationTime();
    }

    @Override
    public long getCapacity() {
        return createdUnchecked().getCapacity();
    }

    @Override
    public CrailNodeType getType() {
        return type;
    }

    @Override
    public CrailFile asFile() throws Exception {
        return as(CrailNodeType.DATAFILE);
    }

    @Override
    public CrailKeyValue asKeyValue() throws Exception {
        return as(CrailNodeType.KEYVALUE);
    }

    private CoreEarlyFile as(CrailNodeType wanted) throws NodeTypeMismatchException {
        if (type != wanted) {
            throw mismatch(wanted.name());
        }
        return this;
    }

    @Override
    public CrailContainer asContainer() throws Exception {
        throw mismatch("container");
    }

    @Override
    public CrailDirectory asDirectory() throws Exception {
        throw mismatch("container");
    }

    @Override
    public CrailMultiFile asMultiFile() throws Exception {
        throw mismatch("container");
    }

    @Override
    public CrailTable asTable() throws Exception {
        throw mismatch("container");
    }

    private NodeTypeMismatchException mismatch(String wanted) {
        return new NodeTypeMismatchException("file type mismatch, type " + type + ": " + path + " is no " + wanted);
    }

    @Override
    public CrailBlockLocation[] getBlockLocations(long start, long len) throws Exception {
        return created().getBlockLocations(start, len);
    }
}
