/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.storage.datanode.Datanode;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.nvme.NvmeTarget;
import org.apache.crail.testkit.nvme.NvmeTargets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two datanodes that offer one namespace, each a range of it. */
@Tag("nvmf")
final class NvmfSharedNamespaceTest extends ClusterSuite {
    private static final int BLOCKS = 24;
    private static final int RANGE_BYTES = (BLOCKS + 1) * BLOCK;

    @Override
    protected ClusterKind kind() {
        return ClusterKind.NVMF_SHARED;
    }

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .datanodes(2)
                .blocksPerDatanode(BLOCKS)
                .with("crail.smallblocksize", "0"); // each block is accounted for
    }

    @Test
    void shouldUseAllBlocksOfBothRangesAndKeepThemApart() throws Exception {
        List<String> paths = fill();

        assertThat(datanodes()).hasSize(2).allMatch(each -> each.blocks() == BLOCKS && each.freeBlocks() == 0);
        TestClient other = anotherClient();
        for (int i = 0; i < paths.size(); i++) {
            assertThat(other.read(paths.get(i))).isEqualTo(Pattern.of(i, 2 * BLOCK));
        }
    }

    @Test
    void shouldRefuseRangesThatAreTakenAndLeaveTheirDataAlone() throws Exception {
        List<String> paths = fill();

        assertThatThrownBy(() -> startDatanodeAt(RANGE_BYTES / 2 / BLOCK * BLOCK))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("give each datanode a range of its own");
        assertThatThrownBy(() -> startDatanodeAt(BLOCK))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("give each datanode a range of its own");

        assertThatThrownBy(() -> startDatanodeAt(0)) // the very range of the first
                .isInstanceOf(AddressTakenException.class)
                .hasMessageContaining("a range of its own");

        assertThat(datanodes()).hasSize(2).allMatch(DatanodeReport::live);
        TestClient other = anotherClient();
        for (int i = 0; i < paths.size(); i++) {
            assertThat(other.read(paths.get(i))).isEqualTo(Pattern.of(i, 2 * BLOCK));
        }
    }

    /** Values of two blocks until no block is left. */
    private List<String> fill() throws Exception {
        TestClient.await(client.store()
                .create("/t", CrailNodeType.TABLE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false));
        List<String> paths = new ArrayList<>();
        boolean full = false;
        while (!full) {
            String path = "/t/" + paths.size();
            try {
                client.put(path, Pattern.of(paths.size(), 2 * BLOCK));
                paths.add(path);
            } catch (NoFreeBlocksException e) {
                full = true;
            }
        }
        assertThat(paths).hasSize(BLOCKS);
        return paths;
    }

    private void startDatanodeAt(long offset) throws Exception {
        NvmeTarget target = NvmeTargets.numbered(0);
        CrailConfiguration configuration = cluster.configuration();
        List<String> options = List.of(
                "-a", target.address().getHostString(),
                "-p", Integer.toString(target.address().getPort()),
                "-nqn", target.nqn(),
                "-n", Integer.toString(NvmeTarget.NAMESPACE),
                "-o", Long.toString(offset),
                "-l", Integer.toString(RANGE_BYTES));
        Datanode.start(configuration, null, 0, options).close();
    }

    private List<DatanodeReport> datanodes() throws Exception {
        return cluster.call(new ReportRequest()).datanodes();
    }
}
