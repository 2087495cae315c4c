/* SPDX-License-Identifier: Apache-2.0 */

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/** How long tasks wait for values of 128 bytes that are broadcast, which are the first ones in their executors. */
public final class BroadcastTimes {
    private static final int BYTES = 128;

    private BroadcastTimes() {}

    /** What a task has seen, as text: its executor, when it began, and how long it waited. */
    private static String wait(Broadcast<byte[]> value) {
        long beginNs = System.nanoTime();
        if (value.value().length != BYTES) {
            throw new IllegalStateException("another value");
        }
        long endNs = System.nanoTime();
        return SparkEnv.get().executorId() + " " + beginNs + " " + (endNs - beginNs);
    }

    /** The waits for so many values, one for each executor and value, in microseconds. */
    public static double[] waitsUs(SparkContext context, int values, int tasks) {
        JavaSparkContext spark = new JavaSparkContext(context);
        List<Double> waits = new ArrayList<>();
        for (int i = 0; i < values; i++) {
            Broadcast<byte[]> value = spark.broadcast(new byte[BYTES]);
            List<String> seen = spark.parallelize(Collections.nCopies(tasks, 0), tasks)
                    .map(each -> wait(value))
                    .collect();
            Map<String, long[]> firsts = new HashMap<>();
            for (String each : seen) {
                String[] parts = each.split(" ");
                long[] found = {Long.parseLong(parts[1]), Long.parseLong(parts[2])};
                firsts.merge(parts[0], found, (a, b) -> a[0] <= b[0] ? a : b);
            }
            firsts.values().forEach(first -> waits.add(first[1] / 1e3));
            value.destroy();
        }
        return waits.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
