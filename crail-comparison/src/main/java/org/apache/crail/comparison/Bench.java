/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A system that has been started, and the load that all systems are given. */
final class Bench implements AutoCloseable {
    private static final long SEED = 42;

    private final Peer peer;
    private final Effort effort;
    private final List<PeerClient> clients = new ArrayList<>();

    /** Connects the first client. The peer is closed by others. */
    Bench(Peer peer, Effort effort) throws Exception {
        this.peer = peer;
        this.effort = effort;
        clients.add(peer.connect());
    }

    /** What {@link Work} does with a number that counts up. */
    interface Operation {
        void run(int index) throws Exception;
    }

    /** What one thread did in which time. */
    private record Done(long count, long elapsedNs) {
        double perSecond() {
            return Sample.perSecond(count, elapsedNs);
        }
    }

    PeerClient client() {
        return clients.get(0);
    }

    Effort effort() {
        return effort;
    }

    /** Names of files in a new directory, which exist if the system can create any. */
    String[] files(String directory, int count) throws Exception {
        String prefix = client().directory(directory);
        String[] paths = names(prefix, count);
        if (peer.abilities().contains(Ability.CREATE)) {
            for (String path : paths) {
                client().create(path);
            }
        }
        return paths;
    }

    static String[] names(String prefix, int count) {
        String[] names = new String[count];
        Arrays.setAll(names, i -> prefix + "file-" + i);
        return names;
    }

    /** A value that is the same in every run. */
    static byte[] value(int bytes) {
        byte[] value = new byte[bytes];
        new Random(SEED).nextBytes(value);
        return value;
    }

    /** Does it at least once, and again each time when the one before has ended; the median in us. */
    double medianUs(int most, Operation operation) throws Exception {
        Histogram histogram = Sample.histogram();
        long begunNs = System.nanoTime();
        long endNs = begunNs + TimeUnit.MILLISECONDS.toNanos(effort.turnMs());
        long nowNs = begunNs;
        for (int i = 0; i == 0 || (i < most && nowNs - endNs < 0); i++) {
            operation.run(i);
            long thenNs = System.nanoTime();
            Sample.record(histogram, thenNs - nowNs);
            nowNs = thenNs;
        }
        return Sample.percentileUs(histogram, 50);
    }

    /** Does it at least once, and again each time when the one before has ended; how often in a second. */
    double rate(int most, Operation operation) throws Exception {
        return run(most, operation).perSecond();
    }

    private Done run(int most, Operation operation) throws Exception {
        long begunNs = System.nanoTime();
        long endNs = begunNs + TimeUnit.MILLISECONDS.toNanos(effort.turnMs());
        int count = 0;
        do {
            operation.run(count++);
        } while (count < most && System.nanoTime() - endNs < 0);
        return new Done(count, System.nanoTime() - begunNs);
    }

    /** Gets by several threads, each with a client of its own; how many in a second they make together. */
    double gets(int threads, String[] keys) throws Exception {
        while (clients.size() < threads) {
            clients.add(peer.connect());
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Done>> shares = new ArrayList<>();
            for (PeerClient client : clients.subList(0, threads)) {
                shares.add(() -> run(Integer.MAX_VALUE, i -> client.get(keys[i % keys.length])));
            }
            double sum = 0;
            for (Future<Done> share : executor.invokeAll(shares)) {
                sum += share.get().perSecond();
            }
            return sum;
        } finally {
            executor.shutdownNow();
        }
    }

    @Override
    public void close() throws IOException {
        Servers.closeAll(clients);
    }
}
