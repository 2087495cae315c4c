/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two links that lead to each other, and the thread of both loops. Payloads arrive in order; when a send completes, and
 * which direction comes next, is decided by a random generator. Counts what a device would not forgive.
 */
final class MemoryNetwork {
    static final String THREAD = "memory-network";
    final AtomicInteger overruns = new AtomicInteger();
    final End client;
    final End server;
    private final Random random;
    private final Thread thread = new Thread(this::run, THREAD);
    private volatile boolean stopped;

    MemoryNetwork(DaRPCSettings clientSettings, DaRPCSettings serverSettings, long seed) {
        random = new Random(seed);
        client = new End("server", clientSettings);
        server = new End("client", serverSettings);
        client.other = server;
        server.other = client;
    }

    void start() {
        thread.start();
    }

    void close() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    private void run() {
        while (!stopped) {
            End end = random.nextBoolean() ? client : server;
            Queue<Event> source = random.nextBoolean() ? end.arrivals : end.sent;
            Event event = source.poll();
            if (event != null) {
                end.handle(event);
            } else {
                runTasks();
            }
        }
        runTasks();
    }

    private void runTasks() {
        client.runTasks();
        server.runTasks();
    }

    private record Event(int ticket, ByteBuffer payload) {}

    /** One of the links, with its loop. */
    final class End implements PayloadLink, LoopThread {
        final AtomicInteger sends = new AtomicInteger();
        private final AtomicInteger unanswered = new AtomicInteger();
        private final AtomicInteger mostUnanswered = new AtomicInteger();
        private final String peer;
        private final int payloadBytes;
        private final AtomicInteger sendBuffers;
        private final AtomicInteger receives;
        private final Queue<Event> arrivals = new ConcurrentLinkedQueue<>();
        private final Queue<Event> sent = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final AtomicInteger ends = new AtomicInteger();
        private End other;
        private volatile LinkEvents events;
        private volatile boolean ended;
        private volatile boolean broken;

        private End(String peer, DaRPCSettings settings) {
            this.peer = peer;
            this.payloadBytes = settings.greeting().payloadBytes();
            this.sendBuffers = new AtomicInteger(settings.receiveBuffers());
            this.receives = new AtomicInteger(settings.receiveBuffers());
        }

        void events(LinkEvents owner) {
            events = owner;
        }

        /** Of the client's end: how many calls were in flight at most. */
        int mostCalls() {
            return mostUnanswered.get();
        }

        @Override
        public boolean send(int ticket, Payload payload) throws IOException {
            if (ended) {
                throw new IOException("ended");
            }
            if (sendBuffers.decrementAndGet() < 0) {
                sendBuffers.incrementAndGet();
                return false;
            }
            ByteBuffer copy = ByteBuffer.allocate(4 + payloadBytes).position(4);
            payload.writeTo(copy);
            copy.limit(copy.position()).position(4);
            sends.incrementAndGet();
            mostUnanswered.accumulateAndGet(unanswered.incrementAndGet(), Math::max);
            if (other.broken || other.ended) {
                return true;
            }
            if (other.receives.decrementAndGet() < 0 || copy.remaining() > other.payloadBytes) {
                overruns.incrementAndGet();
            }
            sent.add(new Event(ticket, null));
            other.arrivals.add(new Event(ticket, copy));
            return true;
        }

        private void handle(Event event) {
            if (broken || ended) {
                return;
            }
            try {
                if (event.payload == null) {
                    sendBuffers.incrementAndGet();
                    events.onSent(event.ticket);
                } else {
                    if (event.ticket > ClientChannel.NO_CALL) {
                        unanswered.decrementAndGet();
                    }
                    events.onPayload(event.ticket, event.payload);
                    receives.incrementAndGet();
                    events.onReceiveReady(event.ticket);
                }
            } catch (IOException | RuntimeException e) {
                broken = true;
                end(e);
            }
            if (events instanceof ClientChannel channel) {
                channel.pump();
            }
        }

        @Override
        public void end(Throwable cause) {
            if (ends.getAndIncrement() == 0) {
                execute(() -> finish(cause));
                other.execute(() -> other.end(new IOException("the other end closed the connection")));
            }
        }

        private void finish(Throwable cause) {
            ended = true;
            events.onEnd(cause);
        }

        private void runTasks() {
            // What has arrived is handled first.
            if (ended || (arrivals.isEmpty() && sent.isEmpty())) {
                Runnable task = tasks.poll();
                if (task != null) {
                    task.run();
                }
            }
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public boolean isCurrent() {
            return Thread.currentThread() == thread;
        }

        @Override
        public String peer() {
            return peer;
        }
    }
}
