/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.spark.Aggregator;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/** Reads what a reduce task wants, and aggregates and sorts it as Spark's own reader does. Used by one task. */
final class CrailShuffleReader<K, C> implements ShuffleReader<K, C> {
    private final CrailShuffleManager manager;
    private final ShuffleDependency<K, ?, C> dependency;
    private final ReadPlan plan;
    private final TaskContext context;
    private final ShuffleReadMetricsReporter metrics;

    CrailShuffleReader(
            CrailShuffleManager manager,
            ShuffleDependency<K, ?, C> dependency,
            ReadPlan plan,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        this.manager = manager;
        this.dependency = dependency;
        this.plan = plan;
        this.context = context;
        this.metrics = metrics;
    }

    /**
     * The records. Memory is given back when the task ends.
     *
     * <p>A lost output is a {@link org.apache.spark.shuffle.FetchFailedException}, here or while one iterates.
     */
    @Override
    public Iterator<Product2<K, C>> read() {
        SerializerManager streams = SparkEnv.get().serializerManager();
        RecordIterator records = new RecordIterator(
                fetcher(), dependency.serializer().newInstance(), streams, isBatch(streams), context, metrics);
        Iterator<?> killable = new InterruptibleIterator<>(context, records);
        Iterator<?> combined = dependency.aggregator().isDefined() ? combine(killable) : killable;
        Iterator<?> sorted = dependency.keyOrdering().isDefined() ? sort(combined) : combined;
        return typed(sorted == killable ? sorted : new InterruptibleIterator<>(context, sorted));
    }

    private RangeFetcher fetcher() {
        SparkConf conf = SparkEnv.get().conf();
        RangeFetcher.Limits limits = new RangeFetcher.Limits(
                conf.getSizeAsMb("spark.reducer.maxSizeInFlight", "48m") << 20,
                TimeUnit.SECONDS.toMillis(conf.getTimeAsSeconds("spark.network.timeout", "120s")));
        try {
            RangeFetcher fetcher = new RangeFetcher(
                    manager.outputs(), dependency.partitioner().numPartitions(), MapRange.of(plan), context, limits);
            TaskCompletionListener listener = ended -> fetcher.close();
            context.addTaskCompletionListener(listener);
            return fetcher;
        } catch (IOException e) {
            throw Unchecked.unchecked(e);
        }
    }

    /** Whether partitions that follow each other can be read as one stream; the rule of Spark's own reader. */
    private boolean isBatch(SerializerManager streams) {
        SparkConf conf = SparkEnv.get().conf();
        return SortShuffleManager.canUseBatchFetch(plan.startPartition(), plan.endPartition(), context)
                && dependency.serializer().supportsRelocationOfSerializedObjects()
                && !streams.encryptionEnabled()
                && (!conf.getBoolean("spark.shuffle.compress", true)
                        || CompressionCodec$.MODULE$.supportsConcatenationOfSerializedStreams(
                                CompressionCodec$.MODULE$.createCodec(conf)));
    }

    private Iterator<?> combine(Iterator<?> records) {
        @SuppressWarnings("unchecked") // the dependency has made sure that the values are the aggregator's
        Aggregator<K, Object, C> aggregator =
                (Aggregator<K, Object, C>) dependency.aggregator().get();
        return dependency.mapSideCombine()
                ? aggregator.combineCombinersByKey(CrailShuffleReader.<Product2<K, C>>typed(records), context)
                : aggregator.combineValuesByKey(CrailShuffleReader.<Product2<K, Object>>typed(records), context);
    }

    private Iterator<?> sort(Iterator<?> records) {
        return newSorter().insertAllAndUpdateMetrics(CrailShuffleReader.<Product2<K, C>>typed(records));
    }

    /** Spark 4.1 has one more parameter, for checksums of rows that are written. */
    private ExternalSorter<K, C, C> newSorter() {
        Constructor<?> constructor = Arrays.stream(ExternalSorter.class.getConstructors())
                .filter(each -> each.getParameterCount() >= 5)
                .findFirst()
                .orElseThrow();
        Option<?> none = Option.empty();
        Object[] arguments = Arrays.copyOf(
                new Object[] {context, none, none, dependency.keyOrdering(), dependency.serializer()},
                constructor.getParameterCount());
        if (arguments.length > 5) {
            arguments[5] = Array.newInstance(constructor.getParameterTypes()[5].getComponentType(), 0);
        }
        try {
            @SuppressWarnings("unchecked") // as asked for
            ExternalSorter<K, C, C> sorter = (ExternalSorter<K, C, C>) constructor.newInstance(arguments);
            return sorter;
        } catch (InvocationTargetException e) {
            throw Unchecked.unchecked(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Spark has another ExternalSorter: " + constructor, e);
        }
    }

    @SuppressWarnings("unchecked") // what the dependency says
    private static <T> Iterator<T> typed(Iterator<?> records) {
        return (Iterator<T>) records;
    }
}
