/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.core.DirectoryRepair;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** D18: what a client that ended too early, or a lost datanode, left behind in a directory can be repaired. */
class DirectoryRepairTest {
    private MiniCluster cluster;
    private CrailStore store;
    private DirectoryRepair repair;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.MEMORY).start();
        store = cluster.newStore();
        repair = new DirectoryRepair((CoreDataStore) store);
        create("/dir", CrailNodeType.DIRECTORY);
        create("/dir/sound", CrailNodeType.DATAFILE);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void shouldFindNothingInASoundDirectory() throws Exception {
        DirectoryRepair.Report report = repair.check("/dir");

        assertThat(report.damaged()).isEmpty();
        assertThat(report.enumerable()).isEqualTo(1);
    }

    @Test
    void shouldWriteTheRecordThatACrashedClientDidNotWrite() throws Exception {
        createWithoutRecord("/dir/orphan");
        assertThat(repair.check("/dir").damaged()).containsExactly("/dir/orphan");

        assertThat(repair.repair("/dir").repaired()).isEqualTo(1);

        assertThat(names("/dir")).containsExactlyInAnyOrder("/dir/sound", "/dir/orphan");
        assertThat(repair.check("/dir").damaged()).isEmpty();
        cluster.checkBlocks();
    }

    @Test
    void shouldListADirectoryAgainWhoseRecordsWereLostWithADatanode() throws Exception {
        cluster.stopDatanode(0);
        cluster.restartDatanode(0);
        assertThat(names("/dir")).as("as told by the namenode").containsExactly("/dir/sound");

        assertThat(repair.repair("/dir").repaired()).isEqualTo(1);

        assertThat(names("/dir")).containsExactly("/dir/sound");
        cluster.checkBlocks();
    }

    @Test
    void shouldListADirectoryAgainWhoseRecordsLieOnASilentDatanode() throws Exception {
        cluster.startDatanode(0);
        cluster.killDatanode(0);
        Await.until("the namenode counts one live datanode", () -> liveDatanodes() == 1);
        assertThat(names("/dir")).as("as told by the namenode").containsExactly("/dir/sound");

        assertThat(repair.repair("/dir").repaired()).isEqualTo(1);

        assertThat(names("/dir")).containsExactly("/dir/sound");
        cluster.checkBlocks();
    }

    private long liveDatanodes() throws Exception {
        return cluster.call(new ReportRequest()).datanodes().stream()
                .filter(DatanodeReport::live)
                .count();
    }

    private void createWithoutRecord(String path) throws Exception {
        cluster.call(new CreateRequest(CrailPath.parse(path), CrailNodeType.DIRECTORY, -1, -1, true));
    }

    private void create(String path, CrailNodeType type) throws Exception {
        store.create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                .get();
        ((CoreDataStore) store).recordsWritten().get();
    }

    private List<String> names(String directory) throws Exception {
        List<String> names = new ArrayList<>();
        store.lookup(directory).get().asContainer().listEntries().forEachRemaining(names::add);
        return names;
    }
}
