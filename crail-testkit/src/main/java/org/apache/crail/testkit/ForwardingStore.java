/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStatistics;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;

/**
 * A store of which a test changes some operations; the others are those of another one, which it does not close. Thread
 * safe.
 */
@SuppressWarnings("try") // the store's close declares Exception
public class ForwardingStore extends CrailStore {
    private final CrailStore store;

    /** Forwards to a store, which stays the caller's. */
    public ForwardingStore(CrailStore store) {
        this.store = store;
    }

    @Override
    public Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable)
            throws Exception {
        return store.create(path, type, storageClass, locationClass, enumerable);
    }

    @Override
    public Upcoming<CrailNode> lookup(String path) throws Exception {
        return store.lookup(path);
    }

    @Override
    public Upcoming<CrailNode> rename(String srcPath, String dstPath) throws Exception {
        return store.rename(srcPath, dstPath);
    }

    @Override
    public Upcoming<CrailNode> delete(String path, boolean recursive) throws Exception {
        return store.delete(path, recursive);
    }

    @Override
    public CompletableFuture<Void> put(String path, ByteBuffer value) {
        return store.put(path, value);
    }

    @Override
    public CompletableFuture<byte[]> get(String path) {
        return store.get(path);
    }

    @Override
    public CrailNamespace namespace() {
        return store.namespace();
    }

    @Override
    public CrailBuffer allocateBuffer() throws Exception {
        return store.allocateBuffer();
    }

    @Override
    public void freeBuffer(CrailBuffer buffer) throws Exception {
        store.freeBuffer(buffer);
    }

    @Override
    public CrailStatistics getStatistics() {
        return store.getStatistics();
    }

    @Override
    public CrailLocationClass getLocationClass() {
        return store.getLocationClass();
    }

    @Override
    protected void closeFileSystem() {}

    @Override
    public void close() {
        // its owner closes the other one
    }
}
