/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.StatusChange;

/**
 * The entry point: a client's view of one cluster. All methods are thread safe. None blocks except {@link #newInstance}
 * and {@link #close}, and {@code put} and {@code get} while too many of them are in flight.
 *
 * <p>Paths are real UTF-8 names separated by '/', see {@link CrailPath}: a component has at most 255 bytes, a path at
 * most 1,023; a leading or trailing '/' means nothing. Every operation on the namespace is sent at once and completes
 * by itself whether or not anybody asks its future: with a value, or with a {@link
 * org.apache.crail.error.CrailException} that is thrown inside an {@link java.util.concurrent.ExecutionException}. A
 * malformed path is thrown at once, as {@link org.apache.crail.error.InvalidPathException}; {@code put} and {@code get}
 * tell it by their futures.
 *
 * <pre>{@code
 * try (CrailStore store = CrailStore.newInstance(CrailConfiguration.createDefaultConfiguration())) {
 *     store.put("/greeting", "hello".getBytes(StandardCharsets.UTF_8)).get();
 *     byte[] value = store.get("/greeting").get(); // null if nothing has this path
 * }
 * }</pre>
 *
 * <p>The page {@code docs/api.md} of the sources and the distribution is the guide to this package, with examples.
 */
@SuppressWarnings("try") // close may be interrupted, as it always could
public abstract class CrailStore implements AutoCloseable {
    /** For implementations. */
    public CrailStore() {}

    /**
     * Opens a store. With {@code crail.singleton} (the default) one store is shared by all callers of a JVM, counted by
     * reference: it is opened by the first call and closed by the last {@link #close}. It runs with the configuration
     * of the first call; later ones may differ, which is logged, but must name the same cluster and namenodes. Without
     * it each call opens a store of its own with a configuration of its own. {@code conf} is copied: changes made
     * afterwards have no effect. The fields of {@link org.apache.crail.conf.CrailConstants} are set whenever a store is
     * opened.
     *
     * @throws org.apache.crail.error.ConfigurationException if a value is wrong, if no implementation of the store
     *     (crail-client) is on the class path, or if the open singleton belongs to another cluster
     * @throws Exception if the store cannot be opened, e.g. because no namenode answers
     */
    public static CrailStore newInstance(CrailConfiguration conf) throws Exception {
        return StoreRegistry.INSTANCE.open(conf);
    }

    /**
     * Creates a node. For files and containers the first create wins. A key-value replaces the one with that path when
     * it is closed, or synced with bytes; until then the former value is found.
     *
     * @param path where; the parent must exist and be able to hold the type, see {@link CrailNodeType#canHold}
     * @param type what
     * @param storageClass where its blocks are preferably allocated; {@link CrailStorageClass#PARENT} inherits
     * @param locationClass on which hosts its blocks are preferably placed; {@link CrailLocationClass#PARENT} inherits
     * @param enumerable whether listing the parent shows the node
     * @return the node, open for writing if it is a file or key-value. Failures: {@code NodeExistsException},
     *     {@code ParentNotFoundException}, {@code ParentNotContainerException}, {@code NodeTypeMismatchException},
     *     {@code NoFreeBlocksException}; the tree is then as it was
     */
    public abstract Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable)
            throws Exception;

    /**
     * As {@link #create(String, CrailNodeType, CrailStorageClass, CrailLocationClass, boolean)}, with a time to live.
     *
     * @param timeToLive a file or key-value goes by itself when so much time has passed since its last close; what is
     *     created in a container inherits it. Zero for no limit, whatever the parent has
     * @throws UnsupportedOperationException if nothing goes by itself in this implementation
     */
    public Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable,
            Duration timeToLive)
            throws Exception {
        throw new UnsupportedOperationException(getClass().getName() + " knows no time to live");
    }

    /**
     * Sets how long a file or key-value lives, from now and from each later close on, or what is created in a container
     * from now on. A node that has gone is like one that was deleted.
     *
     * @param timeToLive zero for no limit
     * @return what is known of the node then. Failures: {@code NodeNotFoundException}
     */
    public Upcoming<NodeStatus> setTimeToLive(String path, Duration timeToLive) throws Exception {
        return namespace().change(path, StatusChange.ofTimeToLive(timeToLive));
    }

    /**
     * Sets when a node goes by itself, with all that is in it then. Whoever still needs it sets that again.
     *
     * @param remaining from now on; zero for never
     * @return what is known of the node then. Failures: {@code NodeNotFoundException}
     */
    public Upcoming<NodeStatus> expire(String path, Duration remaining) throws Exception {
        return namespace().change(path, StatusChange.ofEnd(remaining));
    }

    /** Finds a node. The future gives null if no node has this path. */
    public abstract Upcoming<CrailNode> lookup(String path) throws Exception;

    /**
     * Moves a node, with all that is below it. If {@code dstPath} is a directory, the node moves into it and keeps its
     * name.
     *
     * @return the node at its new path; null if the source, the destination's parent does not exist or the destination
     *     is taken. Failures: {@code InvalidMoveException} if the destination lies below the source or belongs to
     *     another namenode
     */
    public abstract Upcoming<CrailNode> rename(String srcPath, String dstPath) throws Exception;

    /**
     * Deletes a node; its handles are stale from then on.
     *
     * @param recursive whether a container may have children, which are deleted with it
     * @return the node that was deleted; null if no node has this path. Failures: {@code NotEmptyException} if a
     *     container has children and {@code recursive} is false; nothing is deleted then
     */
    public abstract Upcoming<CrailNode> delete(String path, boolean recursive) throws Exception;

    /**
     * Stores a value by one call, see {@link CrailTable#put(String, ByteBuffer)}.
     *
     * @param path of the key-value; its parent is a table or a directory
     * @throws UnsupportedOperationException if this implementation has streams only
     */
    public CompletableFuture<Void> put(String path, ByteBuffer value) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /** As {@link #put(String, ByteBuffer)}. */
    public CompletableFuture<Void> put(String path, byte[] value) {
        return put(path, ByteBuffer.wrap(value));
    }

    /**
     * Fetches a value, or the bytes of a file, by one call, see {@link CrailTable#get(String)}.
     *
     * @throws UnsupportedOperationException if this implementation has streams only
     */
    public CompletableFuture<byte[]> get(String path) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /** As {@link #get(String)}, into memory of the caller, see {@link CrailTable#get(String, ByteBuffer)}. */
    public CompletableFuture<Integer> get(String path, ByteBuffer target) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /**
     * The namespace with owners and times, for file systems over this store; usable as long as the store is.
     *
     * @throws UnsupportedOperationException if this implementation has none
     */
    public CrailNamespace namespace() {
        throw new UnsupportedOperationException(getClass().getName() + " tells no owners and times");
    }

    /**
     * Gives a cleared buffer of {@code crail.buffersize} bytes outside the heap. The caller owns it until it hands it
     * to {@link #freeBuffer}.
     *
     * @throws org.apache.crail.error.BufferExhaustedException if there is no memory left
     */
    public abstract CrailBuffer allocateBuffer() throws Exception;

    /**
     * Takes back a buffer that {@link #allocateBuffer} gave; the caller must not touch it, nor slices of it, any more.
     * A slice that begins where its buffer begins stands for the whole buffer. Null, other slices and buffers of the
     * program's own are accepted, and nothing happens to them.
     *
     * @throws org.apache.crail.error.InvalidRequestException if the buffer was freed before
     */
    public abstract void freeBuffer(CrailBuffer buffer) throws Exception;

    /** What the store has counted; still answers after {@link #close}. */
    public abstract CrailStatistics getStatistics();

    /** The location class of this host: a positive number made from its canonical name. */
    public abstract CrailLocationClass getLocationClass();

    /**
     * Closes the store with its open streams and gives all memory back, also where something of that fails. Called
     * once.
     */
    protected abstract void closeFileSystem() throws Exception;

    /**
     * Gives the store back. A singleton closes when as many calls have closed it as {@link #newInstance} has given it
     * to; any other store closes at once. Closing a closed store does nothing. A try statement may do it.
     * What is chained to a future must not, as the close waits for that.
     *
     * @throws Exception if closing failed; the store counts as closed all the same
     */
    @Override
    public void close() throws Exception {
        StoreRegistry.INSTANCE.release(this);
    }
}
