/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;

/**
 * Threads that write, append to, read and delete files, and know what has been acknowledged. Each file's bytes tell
 * which file and which position they belong to, so that foreign ones are found. Used by one thread.
 */
@SuppressWarnings("try") // its close waits for threads, which can be interrupted
final class BusyClients implements AutoCloseable {
    private static final int PARTS = 5;
    private static final int LONGEST_PART = 100_000;
    private static final int MOST_FILES = 24;

    /** So many calls of a client are likely to have reads and writes among them. */
    private static final int SOME = 20;

    /** How a call may fail while servers stand still. */
    private static final Set<ErrorCode> EXPECTED = EnumSet.of(
            ErrorCode.TIMEOUT,
            ErrorCode.NAMENODE_UNREACHABLE,
            ErrorCode.DATANODE_UNREACHABLE,
            ErrorCode.DATANODE_LOST,
            ErrorCode.SESSION_LOST,
            ErrorCode.TOKEN_MISMATCH,
            ErrorCode.TOKEN_TAKEN,
            ErrorCode.NO_FREE_BLOCKS,
            ErrorCode.BLOCKS_PENDING);

    /** How a call fails when there is no block for it. */
    private static final Set<ErrorCode> FULL = EnumSet.of(ErrorCode.NO_FREE_BLOCKS, ErrorCode.BLOCKS_PENDING);

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final List<Future<?>> threads = new ArrayList<>();
    private final AtomicInteger files = new AtomicInteger();
    private final Map<Integer, Integer> acknowledged = new ConcurrentHashMap<>();
    private final Map<TestClient, AtomicInteger> done = new ConcurrentHashMap<>();
    private final Map<ErrorCode, AtomicInteger> failed = new ConcurrentHashMap<>();
    private volatile boolean isStopped;

    /** Whether a call has failed since there was no block for it, and no file has been deleted since then. */
    private volatile boolean isFull;

    /** Starts so many threads that use a store. */
    void start(TestClient client, int count) {
        done.put(client, new AtomicInteger());
        for (int i = 0; i < count; i++) {
            Random random = new Random(threads.size());
            threads.add(executor.submit(() -> {
                while (!isStopped) {
                    attempt(client, random);
                }
                return null;
            }));
        }
    }

    /** How many calls of a store have been done. */
    int done(TestClient client) {
        return done.get(client).get();
    }

    /** How many calls have failed so. */
    int failed(ErrorCode code) {
        AtomicInteger count = failed.get(code);
        return count == null ? 0 : count.get();
    }

    /** Waits until a store has done some more, with reads and writes among them. */
    void awaitMore(TestClient client) throws Exception {
        int before = done(client);
        Await.until("calls are done again", () -> {
            failIfOneHas();
            return done(client) >= before + SOME;
        });
    }

    /** Fails if a thread has found something wrong. */
    void failIfOneHas() throws Exception {
        for (Future<?> thread : threads) {
            if (thread.isDone()) {
                TestClient.await(thread);
            }
        }
    }

    /** Lets all threads end, and reads all that they have written. */
    void stopAndVerify(TestClient client) throws Exception {
        isStopped = true;
        for (Future<?> thread : threads) {
            TestClient.await(thread);
        }
        for (int id : acknowledged.keySet()) {
            verify(client, id);
        }
    }

    private void attempt(TestClient client, Random random) throws Exception {
        try {
            act(client, random);
            done.get(client).incrementAndGet();
        } catch (CrailException e) {
            if (!EXPECTED.contains(e.code())) {
                throw e;
            }
            failed.computeIfAbsent(e.code(), code -> new AtomicInteger()).incrementAndGet();
            if (FULL.contains(e.code())) {
                isFull = true;
            }
        }
    }

    private void act(TestClient client, Random random) throws Exception {
        List<Integer> known = List.copyOf(acknowledged.keySet());
        int choice = random.nextInt(8);
        if (known.size() > MOST_FILES || ((isFull || choice == 0) && !known.isEmpty())) {
            isFull = false;
            delete(client, known.get(random.nextInt(known.size())));
        } else if (choice < 3 || known.isEmpty()) {
            int id = files.incrementAndGet();
            writeParts(client.createFile(path(id)).getDirectOutputStream(0), id, random);
        } else if (choice < 5) {
            append(client, known.get(random.nextInt(known.size())), random);
        } else {
            verify(client, known.get(random.nextInt(known.size())));
        }
    }

    private static String path(int id) {
        return "/f" + id;
    }

    private void delete(TestClient client, int id) throws Exception {
        if (acknowledged.remove(id) != null) {
            CrailNode deleted = client.delete(path(id), false);
            if (deleted == null) {
                throw new AssertionError(path(id) + " has gone before it was deleted");
            }
        }
    }

    /** A file that is appended to has no other user meanwhile. */
    private void append(TestClient client, int id, Random random) throws Exception {
        Integer bytes = acknowledged.remove(id);
        if (bytes == null) {
            return;
        }
        CrailOutputStream stream;
        try {
            CrailNode node = client.lookup(path(id));
            if (node == null) {
                throw new AssertionError(path(id) + " has gone, and nobody has deleted it");
            }
            stream = node.asFile().openForAppend(0);
        } catch (CrailException e) {
            acknowledged.put(id, bytes);
            throw e;
        }
        if (stream.position() < bytes) {
            throw new AssertionError(path(id) + " had " + bytes + " bytes, and ends at " + stream.position());
        }
        writeParts(stream, id, random);
    }

    /** What has been synced is acknowledged. Others know the file when this ends. */
    private void writeParts(CrailOutputStream stream, int id, Random random) throws Exception {
        AtomicInteger end = new AtomicInteger((int) stream.position());
        try {
            writeAndClose(stream, id, random, end);
        } finally {
            if (end.get() > 0) {
                acknowledged.put(id, end.get());
            }
        }
    }

    private static void writeAndClose(CrailOutputStream stream, int id, Random random, AtomicInteger end)
            throws Exception {
        try {
            for (int i = 0; i < 1 + random.nextInt(PARTS); i++) {
                int length = 1 + random.nextInt(LONGEST_PART);
                TestClient.await(stream.write(TestClient.buffer(Pattern.of(id, end.get(), length))));
                TestClient.await(stream.sync());
                end.addAndGet(length);
            }
        } finally {
            stream.close();
        }
    }

    /** All that a file shows is its own, and all that was acknowledged is there. */
    private void verify(TestClient client, int id) throws Exception {
        Integer least = acknowledged.get(id);
        byte[] bytes;
        try {
            bytes = client.read(path(id));
        } catch (StaleNodeException e) {
            bytes = null;
        }
        if (bytes != null) {
            Pattern.verify(id, 0, bytes);
        }
        boolean isThere = bytes != null && least != null && bytes.length >= least;
        if (!isThere && least != null && acknowledged.containsKey(id)) {
            throw new AssertionError(path(id) + " had " + least + " bytes, and has "
                    + (bytes == null ? "gone" : "only " + bytes.length));
        }
    }

    @Override
    public void close() throws Exception {
        isStopped = true;
        executor.shutdownNow();
        if (!executor.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new AssertionError("a call does not end");
        }
    }
}
