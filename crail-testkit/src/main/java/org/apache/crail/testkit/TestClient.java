/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.OffHeapBuffer;

/**
 * A store with calls that wait, for tests; each waits a minute at most and throws what the operation failed with.
 * Methods are thread safe.
 */
public final class TestClient implements AutoCloseable {
    private static final long LIMIT_S = 60;

    private final CrailStore store;

    /** Makes one over a store that the caller keeps and closes. */
    public TestClient(CrailStore store) {
        this.store = store;
    }

    /** Opens a store with this configuration. */
    public static TestClient open(CrailConfiguration configuration) throws Exception {
        return new TestClient(CrailStore.newInstance(configuration));
    }

    /** Closes the store. */
    @Override
    public void close() throws IOException {
        try {
            store.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** The store below. */
    public CrailStore store() {
        return store;
    }

    /** Begins to create a node with default classes that listings show. */
    public Upcoming<CrailNode> creating(String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true);
    }

    /** Creates a node. */
    public CrailNode create(String path, CrailNodeType type) throws Exception {
        return await(creating(path, type));
    }

    /** Creates an empty file. */
    public CrailFile createFile(String path) throws Exception {
        return create(path, CrailNodeType.DATAFILE).asFile();
    }

    /** Creates a file with these bytes. */
    public void write(String path, byte[] bytes) throws Exception {
        append(createFile(path), bytes);
    }

    /** Puts a value that listings do not show. */
    public void put(String path, byte[] value) throws Exception {
        append(putting(path), value);
    }

    /** Creates a key-value that listings do not show. */
    public CrailFile putting(String path) throws Exception {
        return await(store.create(
                        path, CrailNodeType.KEYVALUE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false))
                .asKeyValue();
    }

    /** Adds bytes to a file that this object may write. */
    public static void append(CrailFile file, byte[] bytes) throws Exception {
        CrailOutputStream stream = file.getDirectOutputStream(bytes.length);
        try {
            await(stream.write(buffer(bytes)));
        } finally {
            stream.close();
        }
    }

    /** Reads all bytes of a file or key-value; null if there is none of this path. */
    public byte[] read(String path) throws Exception {
        CrailNode node = lookup(path);
        if (node == null) {
            return null;
        }
        return read(node.getType() == CrailNodeType.KEYVALUE ? node.asKeyValue() : node.asFile());
    }

    /** Adds bytes to a file that is there, whoever wrote it before. */
    public void append(String path, byte[] bytes) throws Exception {
        CrailNode node = lookup(path);
        CrailFile file = node.getType() == CrailNodeType.KEYVALUE ? node.asKeyValue() : node.asFile();
        CrailOutputStream stream = file.openForAppend(file.getCapacity() + bytes.length);
        try {
            await(stream.write(buffer(bytes)));
        } finally {
            stream.close();
        }
    }

    /** Reads all bytes of a file. */
    public static byte[] read(CrailFile file) throws Exception {
        CrailInputStream stream = file.getDirectInputStream(file.getCapacity());
        try {
            CrailBuffer buffer = emptyBuffer((int) file.getCapacity());
            while (buffer.hasRemaining()) {
                int position = buffer.position();
                Future<CrailResult> reading = stream.read(buffer);
                if (reading == null) {
                    break;
                }
                buffer.position(position + (int) await(reading).getLen()).limit(buffer.capacity());
            }
            byte[] bytes = new byte[buffer.position()];
            buffer.flip();
            buffer.get(bytes);
            return bytes;
        } finally {
            stream.close();
        }
    }

    /** Looks a node up; null if there is none. */
    public CrailNode lookup(String path) throws Exception {
        return await(store.lookup(path));
    }

    /** Deletes a node; null if there is none. */
    public CrailNode delete(String path, boolean recursive) throws Exception {
        return await(store.delete(path, recursive));
    }

    /** Renames a node; null where the interface says so. */
    public CrailNode rename(String from, String to) throws Exception {
        return await(store.rename(from, to));
    }

    /** The names, in order, of the children that a listing shows. */
    public List<String> list(String path) throws Exception {
        List<String> names = new ArrayList<>();
        Iterator<String> entries =
                Objects.requireNonNull(lookup(path), path).asContainer().listEntries();
        while (entries.hasNext()) {
            String entry = entries.next();
            names.add(entry.substring(entry.lastIndexOf('/') + 1));
        }
        names.sort(null);
        return names;
    }

    /** Waits for a future; throws what it failed with. */
    public static <T> T await(Future<T> future) throws Exception {
        try {
            return future.get(LIMIT_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** A buffer outside the heap that holds these bytes and nothing else. */
    public static CrailBuffer buffer(byte[] bytes) throws Exception {
        return OffHeapBuffer.wrap(
                ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    }

    /** A buffer outside the heap with room for {@code length} bytes. */
    public static CrailBuffer emptyBuffer(int length) throws Exception {
        return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(length));
    }

    /** The bytes of a buffer from index {@code from} to {@code to}; its position and limit stay as they are. */
    public static byte[] bytes(CrailBuffer buffer, int from, int to) {
        byte[] bytes = new byte[to - from];
        buffer.getByteBuffer().duplicate().clear().get(from, bytes);
        return bytes;
    }
}
