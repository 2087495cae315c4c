/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.util.Map;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Probe;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What it costs to find where the partitions of an output are. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class RequestCountsTest {
    private static final int PARTITIONS = 200;
    private static final int BYTES = 1_000;

    @Test
    void shouldFindAnOutputByOneLookupAndOneRead() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            CrailConfiguration settings = cluster.configuration();
            CrailStore writing = cluster.newStore();
            ApplicationDirectory.createDirectory(writing, "/app");
            MapOutputs made = new MapOutputs(writing, "/app", CrailStorageClass.DEFAULT);
            MapOutputWriter writer = new MapOutputWriter(made, 1, 2, PARTITIONS, 0);
            for (int i = 0; i < PARTITIONS; i++) {
                try (OutputStream out = writer.getPartitionWriter(i).openStream()) {
                    out.write(new byte[BYTES]);
                }
            }
            Object ignored = writer.commitAllPartitions(new long[0]);
            OutputPlace place = made.takeCommitted(2).orElseThrow();

            Probe probe = Probe.attach(settings);
            CrailStore store = CrailStore.newInstance(settings);
            try {
                MapOutputs outputs = new MapOutputs(store, "/app", CrailStorageClass.DEFAULT);
                probe.reset();
                MapOutput found = outputs.find(place, PARTITIONS).get();
                assertThat(found.index().offset(PARTITIONS)).isEqualTo(PARTITIONS * BYTES);
                assertThat(probe.calls()).containsEntry(Operation.LOOKUP, 1L);
                assertThat(probe.reads()).isEqualTo(1);

                probe.reset();
                assertThat(outputs.find(place, PARTITIONS).get()).isSameAs(found);
                assertThat(probe.calls()).isEqualTo(Map.of());
                assertThat(probe.reads()).isZero();
            } finally {
                store.close();
            }
        }
    }

    /** The first one makes the file, and the second one moves it to a whole block. */
    @Test
    void shouldStoreASmallOutputByTwoCallsAndATransfer() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            CrailConfiguration settings = cluster.configuration();
            Probe probe = Probe.attach(settings);
            CrailStore store = CrailStore.newInstance(settings);
            try {
                ApplicationDirectory.createDirectory(store, "/app");
                MapOutputs outputs = new MapOutputs(store, "/app", CrailStorageClass.DEFAULT);
                write(outputs, 1);
                write(outputs, 2);
                for (int mapId = 3; mapId < 6; mapId++) {
                    probe.reset();
                    write(outputs, mapId);
                    assertThat(probe.calls()).isEqualTo(Map.of(Operation.LOOKUP, 1L, Operation.SYNC, 1L));
                    assertThat(probe.writes()).isEqualTo(1);
                }
            } finally {
                store.close();
            }
        }
    }

    private static void write(MapOutputs outputs, long mapId) throws Exception {
        MapOutputWriter writer = new MapOutputWriter(outputs, 1, mapId, PARTITIONS, 1 << 20);
        for (int i = 0; i < PARTITIONS; i++) {
            try (OutputStream out = writer.getPartitionWriter(i).openStream()) {
                out.write(new byte[10]);
            }
        }
        Object ignored = writer.commitAllPartitions(new long[0]);
    }
}
