/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.utils.CrailUtils;
import org.apache.crail.utils.RingBuffer;

/** Tests that need no store. All methods are thread safe. */
final class LocalTests {
    private static final double NS_PER_S = 1e9;
    private static final int QUEUES = 5;

    private LocalTests() {}

    static void locationClass(BenchTask task, int operations, Meter meter) throws Exception {
        task.console().line("locationClass " + CrailUtils.getLocationClass());
    }

    static void locationMap(BenchTask task, int operations, Meter meter) throws Exception {
        for (String pair : task.conf().get(CrailKeys.LOCATION_MAP).split(",", -1)) {
            if (!pair.isBlank()) {
                task.console().line("locationMap " + pair.strip().replaceFirst("\\s*/\\s*", " -> "));
            }
        }
    }

    /** Compares the queues that a stream could keep its operations in. */
    static void collection(BenchTask task, int operations, Meter meter) {
        meter.expectRounds((long) QUEUES * operations);
        int batch = task.options().batch();
        RingBuffer<Integer> ring = new RingBuffer<>(batch);
        measure(task, "RingBuffer", operations, batch, meter, ring::add, ring::poll);
        measure(task, new ArrayDeque<>(batch), operations, meter);
        measure(task, new ArrayBlockingQueue<>(batch), operations, meter);
        measure(task, new LinkedBlockingQueue<>(batch), operations, meter);
        measure(task, new ConcurrentLinkedQueue<>(), operations, meter);
    }

    private static void measure(BenchTask task, Queue<Integer> queue, int operations, Meter meter) {
        measure(
                task,
                queue.getClass().getSimpleName(),
                operations,
                task.options().batch(),
                meter,
                queue::offer,
                queue::poll);
    }

    private static void measure(
            BenchTask task, String name, int operations, int batch, Meter meter, Adder adder, Taker taker) {
        long beginNs = System.nanoTime();
        for (int i = 0; i < operations; i++) {
            long startNs = System.nanoTime();
            for (int j = 0; j < batch; j++) {
                adder.add(j);
            }
            for (int j = 0; j < batch; j++) {
                taker.take();
            }
            meter.done(startNs, 0);
        }
        task.console().linef("collection %s %.6f s", name, (System.nanoTime() - beginNs) / NS_PER_S);
    }

    private interface Adder {
        boolean add(Integer value);
    }

    private interface Taker {
        Integer take();
    }
}
