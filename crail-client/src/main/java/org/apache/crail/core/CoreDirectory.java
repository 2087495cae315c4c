/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.crail.CrailContainer;
import org.apache.crail.CrailDirectory;
import org.apache.crail.CrailMultiFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailTable;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.rpc.message.CreateRequest;

/** A directory, multi-file or table. All methods are thread safe. */
class CoreDirectory extends CoreNode implements CrailContainer, CrailDirectory, CrailMultiFile, CrailTable {
    /** The same path, parsed when it was needed first; null before. */
    private volatile CrailPath parsedPath;

    CoreDirectory(CoreDataStore store, FileInfo info, String path) {
        super(store, info, path);
    }

    /** What a container of Crail 1.x would hold: a record for each child that is listed. */
    @Override
    public long getCapacity() {
        return (long) files() * getFileSystem().calls().settings().recordSizeBytes();
    }

    @Override
    public int files() {
        return info().children();
    }

    @Override
    public Iterator<String> listEntries() throws Exception {
        return getFileSystem().listEntries(getPath());
    }

    @Override
    public CompletableFuture<Void> put(String key, ByteBuffer value) {
        return forKey(key, path -> getFileSystem().values().put(path, value, CreateRequest.INHERITED));
    }

    @Override
    public CompletableFuture<Void> put(String key, ByteBuffer value, Duration timeToLive) {
        long timeToLiveMs = StatusChange.ofTimeToLive(timeToLive).timeToLiveMs();
        return forKey(key, path -> getFileSystem().values().put(path, value, timeToLiveMs));
    }

    @Override
    public CompletableFuture<byte[]> get(String key) {
        return forKey(key, path -> getFileSystem().values().get(path));
    }

    @Override
    public CompletableFuture<Integer> get(String key, ByteBuffer target) {
        return forKey(key, path -> getFileSystem().values().get(path, target));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return forKey(key, path -> getFileSystem().values().delete(path));
    }

    private <T> CompletableFuture<T> forKey(String key, Function<CrailPath, CompletableFuture<T>> call) {
        try {
            CrailPath parent = parsedPath;
            if (parent == null) {
                parent = CrailPath.parse(getPath());
                parsedPath = parent;
            }
            return call.apply(parent.child(key));
        } catch (InvalidPathException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CoreDirectory asContainer() {
        return this;
    }

    @Override
    public CoreDirectory asDirectory() throws Exception {
        return as(CrailNodeType.DIRECTORY);
    }

    @Override
    public CrailMultiFile asMultiFile() throws Exception {
        return as(CrailNodeType.MULTIFILE);
    }

    @Override
    public CrailTable asTable() throws Exception {
        return as(CrailNodeType.TABLE);
    }

    private CoreDirectory as(CrailNodeType wanted) throws Exception {
        if (getType() != wanted) {
            throw mismatch(wanted.name());
        }
        return this;
    }
}
