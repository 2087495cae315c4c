/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Completes the transfers of a {@link FakeStore} at once, when the test says so, or in another thread. Bytes are moved
 * when a transfer completes, so that buffers that are touched before show. Thread safe.
 */
final class FakeTransfers implements AutoCloseable {
    enum Mode {
        AT_ONCE,
        WHEN_TOLD,
        WHEN_WAITED_FOR,
        IN_ANOTHER_THREAD
    }

    /** A transfer that was begun. */
    record Transfer(String path, long offset, int length) {}

    private record Waiting(Runnable move, CompletableFuture<CrailResult> future, int length) {}

    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final List<Transfer> begun = new ArrayList<>();
    private Mode mode = Mode.AT_ONCE;
    private ExecutorService executor;
    private final List<Transfer> copies = new ArrayList<>();
    private IOException nextFailure;
    private IOException nextCopyFailure;
    private int nearBytes;
    private int maxInFlight;

    synchronized void mode(Mode wanted) {
        mode = wanted;
        if (mode == Mode.IN_ANOTHER_THREAD && executor == null) {
            executor = Executors.newSingleThreadExecutor();
        }
    }

    /** From now on so many bytes of the file, from its begin on, can be copied without a transfer. */
    synchronized void near(int bytes) {
        nearBytes = bytes;
    }

    synchronized boolean isNear() {
        return nearBytes > 0;
    }

    /** Lets the next copy fail. */
    synchronized void failNextCopy(IOException failure) {
        nextCopyFailure = failure;
    }

    synchronized int copy(String path, long offset, int length) throws IOException {
        if (nextCopyFailure != null) {
            IOException failure = nextCopyFailure;
            nextCopyFailure = null;
            throw failure;
        }
        int copied = (int) Math.max(0, Math.min(length, nearBytes - offset));
        if (copied > 0) {
            copies.add(new Transfer(path, offset, copied));
        }
        return copied;
    }

    synchronized List<Transfer> copies() {
        return List.copyOf(copies);
    }

    /** Lets the next transfer that is begun fail. */
    synchronized void failNext(IOException failure) {
        nextFailure = failure;
    }

    synchronized Future<CrailResult> begin(String path, long offset, int length, Runnable move) {
        begun.add(new Transfer(path, offset, length));
        CompletableFuture<CrailResult> future = new Result();
        if (nextFailure != null) {
            IOException failure = nextFailure;
            nextFailure = null;
            waiting.add(new Waiting(() -> future.completeExceptionally(failure), future, length));
        } else {
            waiting.add(new Waiting(move, future, length));
        }
        maxInFlight = Math.max(maxInFlight, waiting.size());
        if (mode == Mode.AT_ONCE) {
            completeOne();
        } else if (mode == Mode.IN_ANOTHER_THREAD) {
            executor.execute(this::completeOne);
        }
        return future;
    }

    /** Moves its bytes while somebody waits, as transfers do whose loop the waiting thread turns. */
    private final class Result extends CompletableFuture<CrailResult> {
        @Override
        public CrailResult get(long timeout, TimeUnit unit)
                throws InterruptedException, ExecutionException, TimeoutException {
            if (mode == Mode.WHEN_WAITED_FOR) {
                completeAll();
            }
            return super.get(timeout, unit);
        }
    }

    /** Completes the oldest transfer in flight, if there is any. */
    void completeOne() {
        Waiting next;
        synchronized (this) {
            next = waiting.poll();
        }
        if (next != null) {
            next.move().run();
            next.future().complete(() -> next.length());
        }
    }

    void completeAll() {
        while (inFlight() > 0) {
            completeOne();
        }
    }

    synchronized int inFlight() {
        return waiting.size();
    }

    synchronized int maxInFlight() {
        return maxInFlight;
    }

    synchronized List<Transfer> begun() {
        return List.copyOf(begun);
    }

    @Override
    public synchronized void close() {
        if (executor != null) {
            executor.shutdown();
        }
    }
}
