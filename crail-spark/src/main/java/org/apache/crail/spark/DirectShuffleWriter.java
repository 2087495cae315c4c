/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongConsumer;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.BypassMergeSortShuffleHandle;
import org.apache.spark.shuffle.sort.SerializedShuffleHandle;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/**
 * Writes the records of a map task to Crail without local files. They are kept in memory, serialized, until the output
 * is written. It takes the place of two of Spark's writers, and makes what readers of these understand. Used by one
 * task.
 */
final class DirectShuffleWriter<K, V> extends ShuffleWriter<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(DirectShuffleWriter.class);

    /** More records that are compressed already are not kept, as other parts of the task want memory, too. */
    private static final long MOST_ENCODED_BYTES = 128 << 20;

    /** For more, what is known of each one takes too much memory, and spills have too little of each one. */
    private static final int MOST_PARTITIONS = 10_000;

    private final MapOutputs outputs;
    private final MapOutputWriter output;
    private final int shuffleId;
    private final long mapId;
    private final Partitioner partitioner;
    private final ShuffleWriteMetricsReporter metrics;
    private final SpillFile spilled;
    private final PartitionBuffers buffers;
    private final MapRecords records;
    private final RowChecksums checksums;
    private final LongConsumer onPeak;

    /** Null until all is written. */
    private long[] lengths;

    /** For an attempt of a map task; {@code output} is its output, which is aborted by the end of the task. */
    DirectShuffleWriter(
            MapOutputs outputs,
            MapOutputWriter output,
            long mapId,
            BaseShuffleHandle<K, V, ?> handle,
            TaskContext context,
            ShuffleWriteMetricsReporter metrics) {
        this.outputs = outputs;
        this.output = output;
        this.shuffleId = handle.shuffleId();
        this.mapId = mapId;
        this.partitioner = handle.dependency().partitioner();
        this.metrics = metrics;
        this.checksums = new RowChecksums(handle.dependency());
        this.spilled = new SpillFile(outputs, shuffleId, mapId);
        int partitions = partitioner.numPartitions();
        boolean isMany = handle instanceof SerializedShuffleHandle;
        this.buffers = new PartitionBuffers(
                context.taskMemoryManager(),
                partitions,
                isMany ? Long.MAX_VALUE : MOST_ENCODED_BYTES,
                spilled,
                context.taskMetrics()::incMemoryBytesSpilled);
        SerializerInstance serializer = handle.dependency().serializer().newInstance();
        this.records = isMany
                ? new RelocatableRecords(buffers, serializer, this::encode)
                : new PartitionStreams(partitions, buffers, serializer, this::encode);
        this.onPeak = context.taskMetrics()::incPeakExecutionMemory;
        TaskCompletionListener listener = ended -> release();
        context.addTaskCompletionListener(listener);
    }

    /**
     * Whether such a writer does what Spark's would, without combining: for few partitions, or for up to 10,000 with a
     * serializer whose bytes can be moved. The latter are spilled as they are, so it does not if they are to be
     * encrypted.
     */
    static boolean serves(ShuffleHandle handle) {
        return handle instanceof BypassMergeSortShuffleHandle
                || (handle instanceof SerializedShuffleHandle<?, ?> found
                        && found.dependency().partitioner().numPartitions() <= MOST_PARTITIONS
                        && !SparkEnv.get().serializerManager().encryptionEnabled());
    }

    /** Compresses and encrypts a partition, as Spark is set. */
    private OutputStream encode(int partition, OutputStream target) {
        ShuffleBlockId block = new ShuffleBlockId(shuffleId, mapId, partition);
        return SparkEnv.get().serializerManager().wrapStream(block, target);
    }

    @Override
    public void write(Iterator<Product2<K, V>> written) throws IOException {
        BitSet filled = new BitSet();
        while (written.hasNext()) {
            Product2<K, V> record = written.next();
            K key = record._1();
            V value = record._2();
            int partition = partitioner.getPartition(key);
            records.add(partition, key, value);
            checksums.update(partition, key, value);
            filled.set(partition);
            metrics.incRecordsWritten(1);
        }
        long beginNs = System.nanoTime();
        writeOutput(filled);
        onPeak.accept(buffers.peakBytes());
        metrics.incWriteTime(System.nanoTime() - beginNs);
        metrics.incBytesWritten(Arrays.stream(lengths).sum());
    }

    private void writeOutput(BitSet filled) throws IOException {
        records.finish();
        for (int i = filled.nextSetBit(0); i >= 0; i = filled.nextSetBit(i + 1)) {
            try (OutputStream target = output.getPartitionWriter(i).openStream()) {
                records.writeTo(i, target);
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
            Object[] arguments = {location, lengths, mapId, checksums.aggregated()};
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
        records.discard();
        try {
            StoreCalls.runAnyway("deleting what was spilled", spilled::delete);
        } catch (IOException e) {
            LOG.warn("A spill of map task {} of shuffle {} stays until its shuffle ends", mapId, shuffleId, e);
        }
    }

    @Override
    public long[] getPartitionLengths() {
        return lengths;
    }
}
