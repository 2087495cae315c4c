/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.BypassMergeSortShuffleHandle;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Writes the records of a map task to Crail without local files: each partition is one stream of a serializer, kept in
 * memory until the output is written. It takes the place of the writer of Spark that has a local file for each
 * partition, and makes the same bytes. Used by one task.
 */
final class DirectShuffleWriter<K, V> extends ShuffleWriter<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(DirectShuffleWriter.class);
    private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

    private final MapOutputs outputs;
    private final MapOutputWriter output;
    private final int shuffleId;
    private final long mapId;
    private final ShuffleDependency<K, V, ?> dependency;
    private final ShuffleWriteMetricsReporter metrics;
    private final SpillFile spilled;
    private final PartitionBuffers buffers;
    private final SerializationStream[] streams;

    /** Null until all is written. */
    private long[] lengths;

    /** For an attempt of a map task; {@code output} is its output, which is aborted by the end of the task. */
    DirectShuffleWriter(
            MapOutputs outputs,
            MapOutputWriter output,
            long mapId,
            BypassMergeSortShuffleHandle<K, V> handle,
            TaskContext context,
            ShuffleWriteMetricsReporter metrics) {
        this.outputs = outputs;
        this.output = output;
        this.shuffleId = handle.shuffleId();
        this.mapId = mapId;
        this.dependency = handle.dependency();
        this.metrics = metrics;
        int partitions = dependency.partitioner().numPartitions();
        this.spilled = new SpillFile(outputs, shuffleId, mapId);
        this.buffers = new PartitionBuffers(
                context.taskMemoryManager(), partitions, spilled, context.taskMetrics()::incMemoryBytesSpilled);
        this.streams = new SerializationStream[partitions];
        TaskCompletionListener listener = ended -> release();
        context.addTaskCompletionListener(listener);
    }

    /**
     * Whether such a writer does what Spark's would: for a handle of few partitions, whose records are not combined,
     * and of which Spark wants no checksums of rows.
     */
    static boolean serves(ShuffleHandle handle) {
        return handle instanceof BypassMergeSortShuffleHandle<?, ?> found && !hasRowChecksums(found.dependency());
    }

    /** Spark 4.1 has them. */
    private static boolean hasRowChecksums(ShuffleDependency<?, ?, ?> dependency) {
        try {
            return Array.getLength(
                            dependency.getClass().getMethod("rowBasedChecksums").invoke(dependency))
                    > 0;
        } catch (NoSuchMethodException e) {
            return false;
        } catch (ReflectiveOperationException e) {
            return true; // whatever they are, Spark's own writer knows
        }
    }

    @Override
    public void write(Iterator<Product2<K, V>> records) throws IOException {
        SerializerInstance serializer = dependency.serializer().newInstance();
        SerializerManager wrapping = SparkEnv.get().serializerManager();
        Partitioner partitioner = dependency.partitioner();
        while (records.hasNext()) {
            Product2<K, V> record = records.next();
            int partition = partitioner.getPartition(record._1());
            SerializationStream stream = streams[partition];
            if (stream == null) {
                ShuffleBlockId block = new ShuffleBlockId(shuffleId, mapId, partition);
                stream = serializer.serializeStream(wrapping.wrapStream(block, buffers.stream(partition)));
                streams[partition] = stream;
            }
            stream.writeKey(record._1(), ANY);
            stream.writeValue(record._2(), ANY);
            metrics.incRecordsWritten(1);
        }
        long beginNs = System.nanoTime();
        writeOutput();
        metrics.incWriteTime(System.nanoTime() - beginNs);
        metrics.incBytesWritten(Arrays.stream(lengths).sum());
    }

    private void writeOutput() throws IOException {
        BitSet filled = new BitSet();
        for (int i = 0; i < streams.length; i++) {
            try (SerializationStream closing = streams[i]) {
                filled.set(i, closing != null);
                streams[i] = null; // not each can be closed twice
            }
        }
        for (int i = filled.nextSetBit(0); i >= 0; i = filled.nextSetBit(i + 1)) {
            try (OutputStream target = output.getPartitionWriter(i).openStream()) {
                buffers.writeTo(i, target);
            }
        }
        lengths = output.commitAllPartitions(new long[0]).getPartitionLengths();
    }

    @Override
    public Option<MapStatus> stop(boolean success) {
        release();
        Option<OutputPlace> place = Option.apply(outputs.takeCommitted(mapId).orElse(null));
        return success && place.isDefined()
                ? Option.apply(status(place.get().location(CrailShuffleManager.host())))
                : Option.empty();
    }

    /** Spark 4.1 has one more parameter, for checksums of rows. */
    private MapStatus status(BlockManagerId location) {
        try {
            Method apply = Arrays.stream(MapStatus$.class.getMethods())
                    .filter(each -> each.getName().equals("apply") && each.getReturnType() == MapStatus.class)
                    .findFirst()
                    .orElseThrow();
            Object[] arguments = {location, lengths, mapId, 0L};
            return (MapStatus) apply.invoke(MapStatus$.MODULE$, Arrays.copyOf(arguments, apply.getParameterCount()));
        } catch (InvocationTargetException e) {
            throw Unchecked.unchecked(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Spark has another MapStatus", e);
        }
    }

    /** Gives all but the output back; may be called again. */
    private void release() {
        buffers.discard();
        try {
            StoreCalls.runAnyway("deleting what was spilled", spilled::delete);
        } catch (IOException e) {
            LOG.warn("A spill of map task {} of shuffle {} stays until its shuffle ends", mapId, shuffleId, e);
        }
        for (int i = 0; i < streams.length; i++) {
            closeAnyway(i);
        }
    }

    /** Of a task that has failed: codecs have memory of their own. */
    private void closeAnyway(int partition) {
        try (SerializationStream closing = streams[partition]) {
            streams[partition] = null;
            LOG.trace("{} is of no use any more", closing);
        } catch (Exception e) { // Scala's methods do not declare what they throw
            LOG.debug("a stream of a task that has failed does not close", e);
        }
    }

    @Override
    public long[] getPartitionLengths() {
        return lengths;
    }
}
