/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/**
 * What a stream counts that reads, for itself and, if there is one, for its file system. All methods are thread safe.
 */
final class ReadCounts {
    private final FileSystem.Statistics fileSystem;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong seeks = new AtomicLong();
    private final AtomicLong skips = new AtomicLong();
    private final AtomicLong bytesSkipped = new AtomicLong();

    ReadCounts(FileSystem.Statistics fileSystem) {
        this.fileSystem = fileSystem;
    }

    /** Counts a read with its bytes, of which a read at the end has none. */
    void read(int bytesRead) {
        operations.incrementAndGet();
        if (bytesRead > 0) {
            bytes.addAndGet(bytesRead);
            if (fileSystem != null) {
                fileSystem.incrementBytesRead(bytesRead);
            }
        }
    }

    /** Counts a read that the store has failed; gives the failure back. */
    <T extends Throwable> T failed(T failure) {
        failures.incrementAndGet();
        return failure;
    }

    void sought() {
        seeks.incrementAndGet();
    }

    void skipped(long count) {
        skips.incrementAndGet();
        bytesSkipped.addAndGet(count);
    }

    /** A live view; few ask for one, so that it is not made before. */
    IOStatistics view() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_BYTES, bytes)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_OPERATIONS, operations)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_EXCEPTIONS, failures)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS, seeks)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_SKIP_OPERATIONS, skips)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_READ_SKIP_BYTES, bytesSkipped)
                .build();
    }
}
