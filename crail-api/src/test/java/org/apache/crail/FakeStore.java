/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.internal.StreamSettings;
import org.apache.crail.memory.MappedBufferCache;

/** A store in memory that knows files and bags only. Not thread safe. */
@SuppressWarnings("try") // as CrailStore
final class FakeStore extends CrailStore implements StreamSettings {
    final FakeTransfers transfers = new FakeTransfers();
    final MappedBufferCache buffers;
    final CrailStatistics statistics = new CrailStatistics();
    private final Map<String, CrailNode> nodes = new TreeMap<>();
    private final int sliceSize;
    int timesClosed;

    FakeStore(int bufferSize, int sliceSize) {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(CrailKeys.BUFFER_SIZE, bufferSize);
        this.sliceSize = sliceSize;
        try {
            this.buffers = new MappedBufferCache(conf);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    FakeFile file(String path) {
        FakeFile file = new FakeFile(this, path);
        nodes.put(path, file);
        return file;
    }

    FakeFile file(String path, byte[] bytes) {
        FakeFile file = file(path);
        file.append(bytes);
        return file;
    }

    FakeBag bag(String path) {
        return new FakeBag(this, path);
    }

    void forget(String path) {
        nodes.remove(path);
    }

    Iterable<String> paths() {
        return nodes.keySet();
    }

    @Override
    public int sliceSize() {
        return sliceSize;
    }

    @Override
    public Upcoming<CrailNode> lookup(String path) {
        return new Now<>(CompletableFuture.completedFuture(nodes.get(path)));
    }

    @Override
    public Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Upcoming<CrailNode> rename(String srcPath, String dstPath) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Upcoming<CrailNode> delete(String path, boolean recursive) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CrailBuffer allocateBuffer() throws IOException {
        return buffers.allocateBuffer();
    }

    @Override
    public void freeBuffer(CrailBuffer buffer) throws IOException {
        buffers.freeBuffer(buffer);
    }

    @Override
    public CrailStatistics getStatistics() {
        return statistics;
    }

    @Override
    public CrailLocationClass getLocationClass() {
        return CrailLocationClass.DEFAULT;
    }

    @Override
    protected void closeFileSystem() {
        timesClosed++;
        stop();
    }

    /** Ends the threads of this store. */
    void stop() {
        transfers.close();
    }

    /** A result that is there. */
    record Now<T>(CompletableFuture<T> future) implements Upcoming<T> {
        @Override
        public T early() throws Exception {
            return get();
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isDone() {
            return future.isDone();
        }

        @Override
        public T get() throws InterruptedException, ExecutionException {
            return future.get();
        }

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            return future.get(timeout, unit);
        }
    }
}
