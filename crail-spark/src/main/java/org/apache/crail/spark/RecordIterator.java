/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockBatchId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** The records of all ranges of a fetcher. Used by one task. */
final class RecordIterator extends AbstractIterator<Tuple2<Object, Object>> {
    private final RangeFetcher fetcher;
    private final SerializerInstance serializer;
    private final SerializerManager streams;
    private final boolean isBatch;
    private final TaskContext context;
    private final ShuffleReadMetricsReporter metrics;

    /** The records of the present stream; null before the first one. */
    private Iterator<Tuple2<Object, Object>> records;

    private BoundedStream stream;

    /** Null if there is none. */
    private FetchedRange range;

    /** The next partition of the range. */
    private int partition;

    private boolean ended;

    /** Less than a millisecond, which has not been counted yet. */
    private long waitedNs;

    /** Reads a whole range as one stream if {@code isBatch}, else each partition as one. */
    RecordIterator(
            RangeFetcher fetcher,
            SerializerInstance serializer,
            SerializerManager streams,
            boolean isBatch,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        this.fetcher = fetcher;
        this.serializer = serializer;
        this.streams = streams;
        this.isBatch = isBatch;
        this.context = context;
        this.metrics = metrics;
    }

    @Override
    public boolean hasNext() {
        try {
            while (!ended && (records == null || !records.hasNext())) {
                openNext();
            }
        } catch (IOException | FetchFailedException e) {
            throw Unchecked.unchecked(e);
        }
        return !ended;
    }

    @Override
    public Tuple2<Object, Object> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        metrics.incRecordsRead(1);
        return records.next();
    }

    private void openNext() throws IOException, FetchFailedException {
        if (stream != null) {
            stream.close();
            stream = null;
        }
        if (range == null || partition < 0) {
            fetchNext();
        }
        if (range == null) {
            ended = true;
            context.taskMetrics().mergeShuffleReadMetrics();
        } else {
            open();
        }
    }

    private void fetchNext() throws IOException, FetchFailedException {
        if (range != null) {
            fetcher.release(range);
        }
        long beginNs = System.nanoTime();
        range = fetcher.next();
        waitedNs += System.nanoTime() - beginNs;
        metrics.incFetchWaitTime(TimeUnit.NANOSECONDS.toMillis(waitedNs));
        waitedNs %= TimeUnit.MILLISECONDS.toNanos(1);
        if (range != null) {
            partition = range.range().firstPartition();
            count(range.range(), range.range().bytes(range.index()));
        }
    }

    /** What was written on this host counts as local: its blocks are on this host if there was room. */
    private void count(MapRange counted, long bytes) {
        int blocks = counted.filled().cardinality();
        if (counted.location().host().equals(CrailShuffleManager.host())) {
            metrics.incLocalBlocksFetched(blocks);
            metrics.incLocalBytesRead(bytes);
        } else {
            metrics.incRemoteBlocksFetched(blocks);
            metrics.incRemoteBytesRead(bytes);
        }
    }

    private void open() {
        MapRange source = range.range();
        int shuffleId = source.plan().shuffleId();
        int end = isBatch ? source.endPartition() : partition + 1;
        BlockId id = isBatch
                ? new ShuffleBlockBatchId(shuffleId, source.mapId(), partition, end)
                : new ShuffleBlockId(shuffleId, source.mapId(), partition);
        stream = range.partitions(partition, end);
        records = serializer.deserializeStream(streams.wrapStream(id, stream)).asKeyValueIterator();
        partition = source.filled().nextSetBit(end);
    }
}
