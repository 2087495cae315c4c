/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.disni.util.NativeAffinity;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvWC;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.crail.internal.LastResort;
import org.apache.crail.internal.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the completions of a limited number of endpoints on one thread, which polls while that pays and else waits
 * for an event of the device. {@link #run} belongs to that thread; the other methods are thread safe.
 */
final class CompletionLoop implements LoopThread {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionLoop.class);
    private static final PeerLog FAILURES = new PeerLog(LOG);
    private static final int WAIT_MS = 100;

    private final DaRPCSettings settings;
    private final Runnable afterEvents;
    private final PollLimit pollLimit;
    private final AtomicReferenceArray<VerbsEndpoint> endpoints;
    private final ArrayDeque<Integer> freeNumbers = new ArrayDeque<>();
    private final LoopTasks tasks = new LoopTasks();
    private volatile CompletionQueue queue;
    private volatile Thread thread;
    private volatile boolean stopped;

    /** Makes a loop for up to {@code capacity} endpoints; {@code afterEvents} runs after the events of each poll. */
    CompletionLoop(DaRPCSettings settings, int capacity, Runnable afterEvents) {
        this.settings = settings;
        this.afterEvents = afterEvents;
        this.pollLimit = new PollLimit(settings.polling());
        this.endpoints = new AtomicReferenceArray<>(capacity);
        for (int i = 0; i < capacity; i++) {
            freeNumbers.add(i);
        }
    }

    /** Makes the completion queue unless it is there, large enough for all endpoints. */
    synchronized CompletionQueue open(IbvContext context) throws IOException {
        if (queue == null) {
            int entries = endpoints.length() * settings.completionsPerConnection();
            queue = new CompletionQueue(context, entries, settings.pollSize());
        }
        return queue;
    }

    /** Takes one of the places; answers its number, or -1 if all are taken. */
    synchronized int reserve() {
        Integer number = freeNumbers.poll();
        return number == null ? -1 : number;
    }

    synchronized int freePlaces() {
        return freeNumbers.size();
    }

    /** Handles the completions of an endpoint whose number was reserved. */
    void attach(VerbsEndpoint endpoint) {
        endpoints.set(endpoint.number(), endpoint);
    }

    /** Drops the further completions of an endpoint; its place is not free yet. */
    void detach(VerbsEndpoint endpoint) {
        endpoints.set(endpoint.number(), null);
    }

    /** Frees the place of an endpoint whose queue pair is gone, when the last of its completions has been dropped. */
    void release(int number) {
        execute(() -> free(number));
    }

    private synchronized void free(int number) {
        freeNumbers.add(number);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Ends all endpoints. */
    void endAll(Throwable cause) {
        for (int i = 0; i < endpoints.length(); i++) {
            VerbsEndpoint endpoint = endpoints.get(i);
            if (endpoint != null) {
                endpoint.end(cause);
            }
        }
    }

    /** Lets {@link #run} return. */
    void stop() {
        stopped = true;
    }

    /** Handles completions and tasks until it is stopped, on processors of {@code mask} unless that is 0. */
    void run(long mask) {
        thread = Thread.currentThread();
        if (mask != 0) {
            bind(mask);
        }
        while (!stopped) {
            LastResort.run(this::turnOrEndAll, CompletionLoop::onFailure);
        }
    }

    private static void onFailure(Throwable failure) {
        try {
            FAILURES.error(
                    "a connection failed in {}; the others go on",
                    Thread.currentThread().getName(),
                    failure);
        } finally {
            LastResort.pause(WAIT_MS); // whatever it is, it may be there to stay
        }
    }

    private void turnOrEndAll() {
        try {
            turn();
        } catch (IOException e) {
            try {
                FAILURES.error(
                        "completions cannot be polled by {}; ending all connections of this thread",
                        Thread.currentThread().getName(),
                        e);
                endAll(e);
                tasks.runAll();
            } finally {
                LastResort.pause(WAIT_MS);
            }
        }
    }

    private static void bind(long mask) {
        NativeAffinity.setAffinity(mask);
        if (NativeAffinity.getAffinity() != mask) {
            LOG.warn(
                    "processor {} of {} cannot be had, and the thread is not bound to it; name processors that this process"
                            + " may use (taskset -p)",
                    Long.numberOfTrailingZeros(mask),
                    DaRPCKeys.AFFINITY);
        }
    }

    private void turn() throws IOException {
        tasks.beforePoll();
        int count = pollOnce();
        tasks.afterPoll(queue.isDrainedBy(count), queue.pollsToDrain());
        if (count > 0) {
            pollLimit.found();
            return;
        }
        if (!stopped && !pollLimit.pollAgain(System.nanoTime())) {
            if (!queue.arm() || pollOnce() == 0) {
                queue.await(WAIT_MS);
                pollLimit.waited();
            }
        }
    }

    private int pollOnce() throws IOException {
        int count = queue.poll();
        for (int i = 0; i < count; i++) {
            IbvWC completion = queue.completion(i);
            VerbsEndpoint endpoint = endpoints.get(VerbsEndpoint.numberOf(completion));
            if (endpoint != null) {
                endpoint.onCompletion(completion);
            }
        }
        if (count > 0) {
            afterEvents.run();
        }
        return count;
    }

    /** Frees the completion queue; when {@link #run} has returned and all endpoints are destroyed. */
    void close() {
        CompletionQueue opened = queue;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException e) {
                LOG.warn("a completion queue could not be freed", e);
            }
        }
    }
}
