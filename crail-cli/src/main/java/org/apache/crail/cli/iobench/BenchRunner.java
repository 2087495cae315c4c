/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.console.ProgressLine;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.OpenStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.core.CoreDataStore;

/** Does experiments: opens stores, prepares, warms up, lets all threads go at once, adds up. Used by one thread. */
final class BenchRunner implements AutoCloseable {
    private final CliContext context;
    private final CrailConfiguration conf;
    private final BenchOptions options;
    private final String path;
    private final int sizeBytes;
    private final List<OpenStore> stores = new ArrayList<>();

    BenchRunner(CliContext context, CrailConfiguration conf, BenchOptions options, String path, int sizeBytes) {
        this.context = context;
        this.conf = conf;
        this.options = options;
        this.path = path;
        this.sizeBytes = sizeBytes;
    }

    /** Does one experiment. */
    BenchResult run(int experiment) throws Exception {
        openStores();
        BenchTarget target = new BenchTarget(options, path);
        if (!stores.isEmpty()) {
            target.prepare(stores.get(0).store(), experiment == 1);
        }
        List<BenchTask> tasks = tasks(target);
        List<Meter> meters = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            meters.add(new Meter(options.loop()));
        }
        Measured measured = null;
        ProgressLine progress =
                ProgressLine.start(context.console(), !options.quiet(), () -> BenchProgress.line(meters));
        try {
            measured = runAll(tasks, meters);
        } finally {
            progress.close();
            if (measured == null) {
                tasks.forEach(BenchTarget::discard);
            }
        }
        for (OpenStore store : stores) {
            store.store().getStatistics().print("close");
        }
        if (!options.keepOpen()) {
            close();
        }
        return BenchResult.of(experiment, measured.elapsedNs(), measured.bytesByClass(), meters);
    }

    private void openStores() throws Exception {
        boolean needed = options.type().target() != BenchType.Target.NONE;
        while (needed && stores.size() < options.clients()) {
            stores.add(context.openStore(conf));
        }
    }

    private List<BenchTask> tasks(BenchTarget target) throws Exception {
        List<BenchTask> tasks = new ArrayList<>();
        for (int i = 0; i < options.threads(); i++) {
            CrailStore store =
                    stores.isEmpty() ? null : stores.get(i % stores.size()).store();
            tasks.add(new BenchTask(
                    store, conf, context.console(), options, target.path(store, i), target.prefix(i), sizeBytes, i));
        }
        return tasks;
    }

    /** From the moment when all threads were warm to the end of the last. */
    private record Measured(long elapsedNs, SortedMap<Integer, Long> bytesByClass) {}

    private Measured runAll(List<BenchTask> tasks, List<Meter> meters) throws Exception {
        long[] startNs = new long[1];
        SortedMap<Integer, Long> before = new TreeMap<>();
        CyclicBarrier warm = new CyclicBarrier(tasks.size(), () -> {
            addBytesByClass(before);
            startNs[0] = System.nanoTime();
        });
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < tasks.size(); i++) {
                BenchTask task = tasks.get(i);
                Meter meter = meters.get(i);
                running.add(threads.submit(() -> runOne(task, warm, meter)));
            }
            awaitAll(running);
            long elapsedNs = System.nanoTime() - startNs[0];
            SortedMap<Integer, Long> bytes = new TreeMap<>();
            addBytesByClass(bytes);
            before.forEach((storageClass, sum) -> bytes.merge(storageClass, -sum, Long::sum));
            bytes.values().removeIf(sum -> sum == 0);
            return new Measured(elapsedNs, bytes);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Adds up what the stores have moved so far. */
    private void addBytesByClass(SortedMap<Integer, Long> sums) {
        for (OpenStore open : stores) {
            if (open.store() instanceof CoreDataStore store) {
                store.transfers()
                        .bytesByClass()
                        .forEach((storageClass, sum) -> sums.merge(storageClass, sum, Long::sum));
            }
        }
    }

    private Void runOne(BenchTask task, CyclicBarrier warm, Meter meter) throws Exception {
        boolean ready = false;
        try {
            BenchTarget.warmUp(task);
            ready = true;
        } finally {
            if (!ready) {
                warm.reset();
            }
        }
        warm.await();
        options.type().test().run(task, options.loop(), meter);
        return null;
    }

    /** Waits for all; of several failures, one that is not only the consequence of another is thrown. */
    private static void awaitAll(List<Future<Void>> running) throws InterruptedException, ExecutionException {
        ExecutionException failure = null;
        for (Future<Void> one : running) {
            try {
                one.get();
            } catch (ExecutionException e) {
                boolean consequence = e.getCause() instanceof BrokenBarrierException;
                failure = failure == null || !consequence ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() throws IOException {
        for (OpenStore store : stores) {
            store.close();
        }
        stores.clear();
    }
}
