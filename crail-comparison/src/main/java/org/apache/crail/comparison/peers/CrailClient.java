/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.comparison.CloseAll;
import org.apache.crail.comparison.PeerClient;

/** One thread's use of a store. Values are in buffers of the store. */
final class CrailClient implements PeerClient {
    private static final CrailStorageClass FAKE = CrailStorageClass.get(CrailPeer.FAKE_CLASS);
    private static final int CREATES_IN_FLIGHT = 512;
    private static final long ROOM_LIMIT_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long ROOM_POLL_MS = 20;

    private final CrailStore store;
    private final CrailStreams streams;
    private final Callable<Long> pendingBlocks;
    private CrailBuffer value;
    private CrailBuffer fetched;
    private int valueBytes;

    /**
     * Asks for nothing yet.
     *
     * @param transfersInFlight of a stream
     * @param pendingBlocks tells how many blocks are not free yet although nobody has them
     */
    CrailClient(CrailStore store, int transfersInFlight, Callable<Long> pendingBlocks) {
        this.store = store;
        this.streams = new CrailStreams(store, transfersInFlight);
        this.pendingBlocks = pendingBlocks;
    }

    @Override
    public String table(String name) throws Exception {
        return container(name, CrailNodeType.TABLE);
    }

    @Override
    public String directory(String name) throws Exception {
        return container(name, CrailNodeType.DIRECTORY);
    }

    private String container(String name, CrailNodeType type) throws Exception {
        store.create("/" + name, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                .get();
        return "/" + name + "/";
    }

    @Override
    public void prepare(byte[] bytes) throws Exception {
        if (value == null) {
            value = store.allocateBuffer();
        }
        value.clear().put(bytes);
        valueBytes = bytes.length;
    }

    @Override
    public void put(String key) throws Exception {
        CrailKeyValue node = store.create(
                        key, CrailNodeType.KEYVALUE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                .get()
                .asKeyValue();
        CrailOutputStream stream = node.getDirectOutputStream(valueBytes);
        stream.write(value.clear().limit(valueBytes)).get();
        stream.close();
    }

    @Override
    public void get(String key) throws Exception {
        if (fetched == null) {
            fetched = store.allocateBuffer();
        }
        CrailKeyValue node = store.lookup(key).get().asKeyValue();
        CrailInputStream stream = node.getDirectInputStream(node.getCapacity());
        long bytes = stream.read(fetched.clear()).get().getLen();
        stream.close();
        if (bytes != node.getCapacity()) {
            throw new IllegalStateException(bytes + " bytes of " + node.getCapacity() + " have been read of " + key);
        }
    }

    @Override
    public void putAll(String[] keys) throws Exception {
        byte[] bytes = new byte[valueBytes];
        value.clear().get(bytes);
        List<CompletableFuture<Void>> puts = new ArrayList<>(keys.length);
        for (String key : keys) {
            puts.add(store.put(key, bytes));
        }
        for (CompletableFuture<Void> put : puts) {
            put.get();
        }
    }

    @Override
    public long getAll(String[] keys) throws Exception {
        List<CompletableFuture<byte[]>> gets = new ArrayList<>(keys.length);
        for (String key : keys) {
            gets.add(store.get(key));
        }
        long bytes = 0;
        for (CompletableFuture<byte[]> get : gets) {
            bytes += get.get().length;
        }
        return bytes;
    }

    @Override
    public byte[] fetched() {
        byte[] copy = new byte[fetched.position()];
        fetched.flip().get(copy);
        return copy;
    }

    @Override
    public void lookup(String path) throws Exception {
        check(store.lookup(path).get());
    }

    @Override
    public void create(String path) throws Exception {
        createFile(path, true).get().asFile().getDirectOutputStream(0).close();
    }

    @Override
    public void createAndSync(String path) throws Exception {
        CrailNode ignored = createFile(path, true).get().syncDir();
    }

    @Override
    public void lookupAll(String[] paths, int count, int inFlight) throws Exception {
        pipeline(count, inFlight, i -> store.lookup(paths[i % paths.length]));
    }

    @Override
    public void createAll(String[] paths, int inFlight) throws Exception {
        pipeline(paths.length, inFlight, i -> createFile(paths[i], false));
    }

    @Override
    public void fill(String directory, int files) throws Exception {
        pipeline(files, Math.min(files, CREATES_IN_FLIGHT), i -> createFile(directory + "file-" + i, true));
    }

    @Override
    public int enumerate(String directory) throws Exception {
        Iterator<String> names =
                store.lookup(parent(directory)).get().asDirectory().listEntries();
        int count = 0;
        for (; names.hasNext(); names.next()) {
            count++;
        }
        return count;
    }

    private static String parent(String directory) {
        return directory.substring(0, directory.length() - 1);
    }

    @Override
    public void write(String path, int units) throws Exception {
        streams.write(path, units);
    }

    @Override
    public void openNew(String path, int units) throws Exception {
        streams.openNew(path, units);
    }

    @Override
    public void append() throws Exception {
        streams.append();
    }

    @Override
    public void read(String path, int units) throws Exception {
        streams.read(path, units);
    }

    @Override
    public long lastUnit() {
        return streams.lastUnit();
    }

    @Override
    public void remove(String path) throws Exception {
        store.delete(path, true).get();
    }

    @Override
    public void awaitRoom() throws Exception {
        long endNs = System.nanoTime() + ROOM_LIMIT_NS;
        while (pendingBlocks.call() > 0) {
            if (System.nanoTime() - endNs > 0) {
                throw new TimeoutException("blocks of removed nodes do not become free");
            }
            Thread.sleep(ROOM_POLL_MS);
        }
    }

    private Upcoming<CrailNode> createFile(String path, boolean enumerable) throws Exception {
        return store.create(path, CrailNodeType.DATAFILE, FAKE, CrailLocationClass.DEFAULT, enumerable);
    }

    private void pipeline(int count, int window, Call call) throws Exception {
        List<Upcoming<CrailNode>> inFlight = new ArrayList<>(window);
        for (int i = 0; i < Math.min(window, count); i++) {
            inFlight.add(call.send(i));
        }
        for (int i = window; i < count; i++) {
            int place = i % window;
            check(inFlight.get(place).get());
            inFlight.set(place, call.send(i));
        }
        for (Upcoming<CrailNode> last : inFlight) {
            check(last.get());
        }
    }

    private static void check(CrailNode node) throws Exception {
        if (node == null) {
            throw new IllegalStateException("a file that exists has not been found");
        }
        CrailNode ignored = node.syncDir();
    }

    @Override
    public void close() throws IOException {
        List<AutoCloseable> all = new ArrayList<>(List.of(streams));
        all.add(() -> store.freeBuffer(value));
        all.add(() -> store.freeBuffer(fetched));
        CloseAll.all(all);
    }

    /** Sends the operation number {@code index} without waiting. */
    private interface Call {
        Upcoming<CrailNode> send(int index) throws Exception;
    }
}
