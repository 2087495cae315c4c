/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractStreamIOStatisticsTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.junit.jupiter.api.Tag;

/** Hadoop's contract of counts of streams, with those of its local file system, and more. */
@Tag("hdfs")
class StreamIOStatisticsContractTest extends AbstractContractStreamIOStatisticsTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
        return new CrailContract(conf);
    }

    @Override
    public List<String> inputStreamStatisticKeys() {
        return List.of(
                StreamStatisticNames.STREAM_READ_BYTES,
                StreamStatisticNames.STREAM_READ_OPERATIONS,
                StreamStatisticNames.STREAM_READ_EXCEPTIONS,
                StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS,
                StreamStatisticNames.STREAM_READ_SKIP_OPERATIONS,
                StreamStatisticNames.STREAM_READ_SKIP_BYTES);
    }

    @Override
    public List<String> outputStreamStatisticKeys() {
        return List.of(
                StreamStatisticNames.STREAM_WRITE_BYTES,
                StreamStatisticNames.STREAM_WRITE_EXCEPTIONS,
                StoreStatisticNames.OP_HFLUSH,
                StoreStatisticNames.OP_HSYNC);
    }
}
