/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;

/** Metadata operations of one store: one by one, pipelined, and from many threads. Not thread safe. */
final class LookupWork {
    private static final String DIRECTORY = "/metadata";
    private static final String CREATED = "/created";
    private static final CrailStorageClass FAKE = CrailStorageClass.get(BenchCluster.FAKE_CLASS);

    private final CrailStore store;
    private final String[] paths;

    /** Works on a directory of {@code files} files. */
    LookupWork(CrailStore store, int files) {
        this.store = store;
        this.paths = new String[files];
        for (int i = 0; i < files; i++) {
            paths[i] = DIRECTORY + "/file-" + i;
        }
    }

    /** Creates the files that are looked up afterwards. */
    void prepare() throws Exception {
        createDirectory(DIRECTORY, FAKE);
        for (String path : paths) {
            create(path, false).get();
        }
    }

    /** Lookups, each after the former has been answered, in nanoseconds. */
    Histogram roundTrips(int count) throws Exception {
        Histogram histogram = Sample.histogram();
        for (int i = 0; i < count; i++) {
            long startNs = System.nanoTime();
            CrailNode node = store.lookup(paths[i % paths.length]).get();
            Sample.record(histogram, System.nanoTime() - startNs);
            check(node);
        }
        return histogram;
    }

    /** Lookups a second with a window of calls in flight. */
    double pipelinedLookups(int count, int window) throws Exception {
        long startNs = System.nanoTime();
        pipeline(count, window, i -> store.lookup(paths[i % paths.length]));
        return Sample.perSecond(count, System.nanoTime() - startNs);
    }

    /**
     * Creates of one-block files a second with a window of calls in flight; the files are removed again. Enumerable files also
     * have records in their directory, whose blocks are the datanode's, and count when the records are written.
     */
    double pipelinedCreates(int count, int window, boolean enumerable) throws Exception {
        createDirectory(CREATED, enumerable ? CrailStorageClass.DEFAULT : FAKE);
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = CREATED + "/" + i;
        }
        long startNs = System.nanoTime();
        pipeline(count, window, i -> create(names[i], enumerable));
        double perSecond = Sample.perSecond(count, System.nanoTime() - startNs);
        store.delete(CREATED, true).get();
        return perSecond;
    }

    /** Lookups a second of all threads together, each thread one lookup at a time. */
    double threadedLookups(int count, int threads) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Histogram>> shares = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                shares.add(() -> roundTrips(count / threads));
            }
            long startNs = System.nanoTime();
            for (Future<Histogram> share : executor.invokeAll(shares)) {
                share.get();
            }
            return Sample.perSecond((long) (count / threads) * threads, System.nanoTime() - startNs);
        } finally {
            executor.shutdownNow();
        }
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

    private void createDirectory(String path, CrailStorageClass storageClass) throws Exception {
        store.create(path, CrailNodeType.DIRECTORY, storageClass, CrailLocationClass.DEFAULT, false)
                .get();
    }

    private Upcoming<CrailNode> create(String path, boolean enumerable) throws Exception {
        return store.create(path, CrailNodeType.DATAFILE, FAKE, CrailLocationClass.DEFAULT, enumerable);
    }

    /** Sends the operation number {@code index} without waiting. */
    private interface Call {
        Upcoming<CrailNode> send(int index) throws Exception;
    }
}
