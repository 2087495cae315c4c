/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What code asks of the machine around it: time, timers, threads, waiting and chance. {@link SharedTimer} and
 * {@link BackgroundThreads} ask here too. A simulation brings surroundings of its own: then one thread at a time runs,
 * in virtual time and in an order that a seed repeats. Thread safe.
 */
public final class Surroundings {
    private static final Logger LOG = LoggerFactory.getLogger(Surroundings.class);

    /** Null on a real machine. Set before the threads that read it start. */
    private static Supplier<? extends Simulated> source;

    private Surroundings() {}

    /** What a simulation has in the place of the machine. */
    public interface Simulated {
        long nanoTime();

        long nextLong();

        /** As {@link SharedTimer#after}. */
        Future<?> after(long delayMs, Runnable task);

        /** As {@link SharedTimer#every}. */
        Future<?> every(long periodMs, Runnable task);

        /** As {@link BackgroundThreads#executor}. */
        void execute(Runnable task);

        /** As {@link Surroundings#start}. */
        Future<?> start(Runnable body);

        /** Lets others run until {@code awaited} is done, or so much time has passed. */
        void await(Future<?> awaited, long limitNs);

        /** Lets others run until so much time has passed. */
        void pause(long pauseNs);
    }

    /**
     * Replaces the machine for all code of this process. For simulations only.
     *
     * @param surroundings gives those of the calling thread; null brings the machine back
     */
    public static void simulate(Supplier<? extends Simulated> surroundings) {
        source = surroundings;
    }

    /** Null on a real machine. */
    static Simulated simulated() {
        Supplier<? extends Simulated> known = source;
        return known == null ? null : known.get();
    }

    /** As {@link System#nanoTime}. */
    public static long nanoTime() {
        Simulated known = simulated();
        return known == null ? System.nanoTime() : known.nanoTime();
    }

    /** A random number, which others may guess. */
    public static long nextLong() {
        Simulated known = simulated();
        return known == null ? ThreadLocalRandom.current().nextLong() : known.nextLong();
    }

    /** A random number that nobody can compute from others. */
    public static long nextSecret() {
        Simulated known = simulated();
        return known == null ? Secrets.next() : known.nextLong();
    }

    /** An id that nobody else has. */
    public static UUID newId() {
        Simulated known = simulated();
        return known == null ? UUID.randomUUID() : new UUID(known.nextLong(), known.nextLong());
    }

    /**
     * Starts a thread, a daemon, that may wait. The future is done when it has ended; to cancel it interrupts the
     * thread. What it throws is in the log, too.
     */
    public static Future<?> start(String name, Runnable body) {
        Simulated known = simulated();
        if (known != null) {
            return known.start(body);
        }
        FutureTask<Void> task = new LoggedTask(name, body);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /**
     * To be called by a thread that is about to wait for a result.
     *
     * @param limitNs how long it is going to wait at most
     * @return how much of that it is to wait by itself
     */
    public static long beforeWait(Future<?> awaited, long limitNs) {
        Simulated known = simulated();
        if (known == null) {
            return limitNs;
        }
        if (!awaited.isDone()) {
            known.await(awaited, limitNs);
        }
        return 0;
    }

    /** Lets some time pass. */
    public static void pause(long pauseMs) throws InterruptedException {
        Simulated known = simulated();
        if (known == null) {
            TimeUnit.MILLISECONDS.sleep(pauseMs);
        } else {
            known.pause(TimeUnit.MILLISECONDS.toNanos(pauseMs));
        }
    }

    /** Tells what ends a thread before its time, for which nobody may ask. */
    private static final class LoggedTask extends FutureTask<Void> {
        private final String name;

        LoggedTask(String name, Runnable body) {
            super(body, null);
            this.name = name;
        }

        @Override
        protected void setException(Throwable failure) {
            LastResort.tell(e -> LOG.error("thread {} has failed", name, e), failure);
            super.setException(failure);
        }
    }

    /** Numbers of a generator for secrets, many at a time, as it is slow to begin. */
    private static final class Secrets {
        private static final SecureRandom RANDOM = new SecureRandom();
        private static final byte[] BYTES = new byte[256 * Long.BYTES];
        private static final ByteBuffer AHEAD = ByteBuffer.wrap(BYTES, 0, 0);

        static synchronized long next() {
            if (!AHEAD.hasRemaining()) {
                RANDOM.nextBytes(BYTES);
                AHEAD.clear();
            }
            return AHEAD.getLong();
        }
    }
}
