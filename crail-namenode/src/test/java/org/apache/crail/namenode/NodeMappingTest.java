/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeMappingTest {
    private Fixture namenode;
    private FileInfo file;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(400);
        file = namenode.file("/a").file();
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    @Test
    void shouldMapAnyByteToItsBlock() throws CrailException {
        List<BlockInfo> all = namenode.extend(file, 4);
        assertThat(all).doesNotHaveDuplicates().hasSize(4);
        for (long position : new long[] {0, BLOCK - 1, BLOCK, 3L * BLOCK, 4L * BLOCK - 1}) {
            assertThat(namenode.read(file.getFd(), position, 1)).containsExactly(all.get((int) (position / BLOCK)));
        }
        assertThat(namenode.read(file.getFd(), BLOCK, 100)).isEqualTo(all.subList(1, 4));
        assertThat(namenode.find("/a").firstBlock()).isEqualTo(all.get(0));
    }

    @Test
    void shouldRefuseReadersBeyondTheBlocks() {
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.read(file.getFd(), BLOCK, 1));
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.read(file.getFd(), -1, 1));
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.read(file.getFd(), Long.MAX_VALUE, 1));
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.read(file.getFd(), 0, 0));
    }

    @Test
    void shouldAllocateWithoutHoles() throws CrailException {
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.map(file.getFd(), file.getToken(), 2L * BLOCK, 1));
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.map(file.getFd(), file.getToken(), -1, 1));
        assertThat(namenode.check().allocated()).isEqualTo(1);
        assertThat(namenode.map(file.getFd(), file.getToken(), BLOCK, 2)).hasSize(2);
        assertThat(namenode.map(file.getFd(), file.getToken(), 3L * BLOCK, 1)).hasSize(1);
    }

    @Test
    void shouldNameTheNodeByItsPathWhenThereIsNoBlock() throws CrailException {
        Fixture tight = Fixture.withBlocks(1);
        tight.mkdir("/d");
        FileInfo written = tight.file("/d/f").file();

        assertThatThrownBy(() -> tight.map(written.getFd(), written.getToken(), BLOCK, 1))
                .hasMessageStartingWith("no block for /d/f: none of 1 blocks is free");
        assertThatThrownBy(() -> tight.read(written.getFd(), BLOCK, 1))
                .hasMessageContaining("of /d/f: it has 1 block of " + BLOCK + " bytes");
    }

    @Test
    void shouldAnswerARepeatedMapWithTheSameBlocks() throws CrailException {
        List<BlockInfo> first = namenode.map(file.getFd(), file.getToken(), BLOCK, 3);
        assertThat(namenode.map(file.getFd(), file.getToken(), BLOCK, 3)).isEqualTo(first);
        assertThat(namenode.check().allocated()).isEqualTo(4);
    }

    @Test
    void shouldAllocateAsManyBlocksAsThereAre() throws CrailException {
        Fixture tight = Fixture.withBlocks(3);
        FileInfo written = tight.file("/a").file();
        assertThat(tight.map(written.getFd(), written.getToken(), BLOCK, 10)).hasSize(2);
        assertThat(tight.map(written.getFd(), written.getToken(), 0, 10)).hasSize(3);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.map(written.getFd(), written.getToken(), 3L * BLOCK, 1));
        assertThat(tight.check().free()).isZero();
    }

    @Test
    void shouldTellAWriterThatAskedAheadThatTheStoreIsFullThoughAStoppedDatanodeHasFreeBlocks() throws CrailException {
        Fixture tight = Fixture.withBlocks(2);
        FileInfo written = tight.file("/a").file();
        DataNodeInfo stopped = Fixture.datanode("stopped", 0, 0);
        tight.register(stopped, 1, 10);
        tight.service.heartbeat(new HeartbeatRequest(stopped, 1, true));
        assertThat(tight.map(written.getFd(), written.getToken(), BLOCK, 1)).hasSize(1);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.map(written.getFd(), written.getToken(), 2L * BLOCK, 1));
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.map(written.getFd(), written.getToken(), 3L * BLOCK, 1));
        assertThat(tight.check().free()).isEqualTo(10);
    }

    @Test
    void shouldTellAWriterThatAskedAheadThatTheStoreWasFullThoughBlocksAreFreedInBetween() throws CrailException {
        DataNodeInfo datanode = Fixture.datanode("dn", 0, 0);
        Fixture tight = Fixture.withBlocks(2);
        FileInfo written = tight.file("/a").file();
        tight.file("/b");
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.map(written.getFd(), written.getToken(), BLOCK, 1));
        tight.remove("/b", false);
        tight.reclaimAll(datanode);
        assertThat(tight.check().free()).isEqualTo(1);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.map(written.getFd(), written.getToken(), 2L * BLOCK, 1));
    }

    @Test
    void shouldKeepAnswersWithinAMessageWhateverTheHostName() throws CrailException {
        Fixture wide = new Fixture();
        wide.register(new DataNodeInfo(0, 0, 0, "h".repeat(255), 1), 1, 1000);
        FileInfo written = wide.file("/a").file();
        var response = wide.service.map(new MapRequest(written.getFd(), written.getToken(), 0, Integer.MAX_VALUE));
        assertThat(response.blocks()).hasSize(MapRequest.MAX_COUNT);
        assertThat(response.encodedLength()).isLessThan(RpcTransport.MAX_MESSAGE_BYTES - 64);
    }

    @Test
    void shouldRefuseIdsThatWereNeverIssued() {
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(4711, 0, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(0, 0, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(-1, 0, 1));
    }

    @Test
    void shouldRefuseIdsBelowARemovedContainerBeforeReclamationComesToThem() throws CrailException {
        namenode.mkdir("/d");
        namenode.mkdir("/d/e");
        for (int i = 0; i < 50; i++) {
            namenode.file("/d/f" + i);
        }
        FileInfo deep = namenode.file("/d/e/f").file();
        namenode.remove("/d", true);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(deep.getFd(), 0, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(deep, 1));
    }

    @Test
    void shouldMapNothingOfContainers() throws CrailException {
        FileInfo directory = namenode.mkdir("/d").file();
        namenode.file("/d/a");
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.read(directory.getFd(), 0, 1));
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.map(directory.getFd(), -1, 0, 1));
        assertFails(
                ErrorCode.POSITION_OUT_OF_RANGE,
                () -> namenode.service.locate(new LocateRequest(CrailPath.parse("/d"), 0, 1)));
    }

    @Test
    void shouldLocateBlocksByPath() throws CrailException {
        List<BlockInfo> all = namenode.extend(file, 3);
        assertThat(namenode.service
                        .locate(new LocateRequest(CrailPath.parse("/a"), BLOCK, 9))
                        .blocks())
                .isEqualTo(all.subList(1, 3));
        assertFails(
                ErrorCode.POSITION_OUT_OF_RANGE,
                () -> namenode.service.locate(new LocateRequest(CrailPath.parse("/a"), 3L * BLOCK, 1)));
        assertFails(
                ErrorCode.NODE_NOT_FOUND,
                () -> namenode.service.locate(new LocateRequest(CrailPath.parse("/b"), 0, 1)));
    }
}
