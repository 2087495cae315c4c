/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.DATANODE_TIMEOUT_MS;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.namenode.block.BlockSelection;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatanodeTest {
    private final Fixture namenode = new Fixture();
    private final DataNodeInfo first = Fixture.datanode("first", 0, 0);
    private final DataNodeInfo second = Fixture.datanode("second", 0, 0);

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private static Region region(long firstBlock, long blocks) {
        return new Region(firstBlock * BLOCK, 1_000_000 + firstBlock * BLOCK, blocks * BLOCK, (int) firstBlock);
    }

    @Test
    void shouldTurnRegionsIntoBlocks() throws CrailException {
        long far = 1L << 40;
        assertThat(namenode.register(
                        first, 1, new Region(0, 5000, 2L * BLOCK + 100, 7), new Region(far, 1L << 50, 3L * BLOCK, 8)))
                .isEqualTo(5);
        assertThat(namenode.heartbeat(first, 1)).isEqualTo(5);
        FileInfo file = namenode.hiddenFile("/a").file();
        assertThat(namenode.extend(file, 5))
                .extracting(BlockInfo::getLba)
                .containsExactlyInAnyOrder(0L, (long) BLOCK, far, far + BLOCK, far + 2L * BLOCK);
        BlockInfo last = namenode.read(file.getFd(), 0, 5).stream()
                .filter(block -> block.getLba() == far + 2L * BLOCK)
                .findFirst()
                .orElseThrow();
        assertThat(last.getAddr()).isEqualTo((1L << 50) + 2L * BLOCK);
        assertThat(last.getLkey()).isEqualTo(8);
        assertThat(last.getLength()).isEqualTo(BLOCK);
        assertThat(last.getDnInfo()).isEqualTo(first);
    }

    @Test
    void shouldChangeNothingWhenKnownRegionsAreRegisteredAgain() throws CrailException {
        namenode.register(first, 1, region(0, 4));
        FileInfo file = namenode.hiddenFile("/a").file();
        assertThat(namenode.register(first, 1, region(0, 4), region(4, 2))).isEqualTo(6);
        assertThat(namenode.register(first, 1, region(0, 4), region(4, 2))).isEqualTo(6);
        assertThat(namenode.read(file.getFd(), 0, 1)).hasSize(1);
        assertThat(namenode.check().free()).isEqualTo(5);
    }

    @Test
    void shouldFollowARegionThatIsReachedInAnotherWay() throws CrailException {
        namenode.register(first, 1, new Region(0, 100, 4L * BLOCK, 1));
        FileInfo file = namenode.hiddenFile("/a").file();
        BlockInfo before = namenode.read(file.getFd(), 0, 1).get(0);
        namenode.register(first, 1, new Region(0, 900, 4L * BLOCK, 2));
        BlockInfo after = namenode.read(file.getFd(), 0, 1).get(0);
        assertThat(after.getAddr() - before.getAddr()).isEqualTo(800);
        assertThat(after.getLkey()).isEqualTo(2);
        assertThat(after.epoch()).isEqualTo(before.epoch());
    }

    @Test
    void shouldRejectRegionsThatAreIllFormedOrOverlap() throws CrailException {
        namenode.register(first, 1, region(10, 10));
        for (Region wrong : new Region[] {
            new Region(100, 0, BLOCK, 0),
            new Region(-BLOCK, 0, BLOCK, 0),
            new Region(0, 0, BLOCK - 1, 0),
            new Region(0, 0, -1, 0),
            new Region(Long.MAX_VALUE / BLOCK * BLOCK, 0, BLOCK, 0),
            new Region(0, 0, Long.MAX_VALUE, 0),
            region(9, 2),
            region(12, 2),
            region(19, 1),
            region(5, 30),
            region(10, 9)
        }) {
            assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.register(first, 1, region(50, 5), wrong));
            assertThat(namenode.reportOf(first).blocks()).isEqualTo(10);
        }
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.register(first, 1, region(50, 5), region(54, 5)));
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.register(first, 1, region(50, 5), region(50, 5)));
        assertThat(namenode.register(first, 1, region(20, 1), region(9, 1))).isEqualTo(12);
    }

    @Test
    void shouldKeepTheFormerLifeWhenANewOneRegistersWrongly() throws CrailException {
        namenode.register(first, 1, region(0, 10));
        namenode.stop(first, 1);
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.register(first, 2, new Region(1, 0, BLOCK, 0)));
        assertThat(namenode.heartbeat(first, 1)).isEqualTo(10);
    }

    @Test
    void shouldRejectDatanodesThatCannotBe() {
        assertThatThrownBy(() -> namenode.register(Fixture.datanode("dn", Fixture.CLASSES, 0), 1, 1))
                .hasMessageContaining("classes 0 to 2");
        for (DataNodeInfo wrong : new DataNodeInfo[] {
            new DataNodeInfo(0, -1, 0, "dn", 1),
            new DataNodeInfo(0, Fixture.CLASSES, 0, "dn", 1),
            new DataNodeInfo(-1, 0, 0, "dn", 1),
            new DataNodeInfo(0, 0, 0, "", 1),
            new DataNodeInfo(0, 0, 0, "h".repeat(256), 1),
            new DataNodeInfo(0, 0, 0, "dn", 0),
            new DataNodeInfo(0, 0, 0, "dn", 65536)
        }) {
            assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.register(wrong, 1, 1));
        }
    }

    @Test
    void shouldRejectAChangeOfClassWithinOneLife() throws CrailException {
        namenode.register(first, 1, 4);
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.register(Fixture.datanode("first", 1, 0), 1, 4));
        namenode.stop(first, 1);
        assertThat(namenode.register(Fixture.datanode("first", 1, 0), 2, 4)).isEqualTo(4);
    }

    @Test
    void shouldKeepDatanodesOfOneHostApartByPort() throws CrailException {
        DataNodeInfo neighbour = new DataNodeInfo(0, 0, 0, "first", 50021);
        namenode.register(first, 1, 4);
        namenode.register(neighbour, 1, 4);
        assertThat(namenode.check().registered()).isEqualTo(8);
    }

    @Test
    void shouldAskUnknownDatanodesToRegister() throws CrailException {
        assertFails(ErrorCode.DATANODE_NOT_REGISTERED, () -> namenode.heartbeat(first, 1));
        namenode.register(first, 1, 4);
        assertFails(ErrorCode.DATANODE_NOT_REGISTERED, () -> namenode.heartbeat(first, 2));
    }

    /** D9: a lost datanode's blocks are refused at once, typed and with its address; they are back when it is. */
    @Test
    void shouldFailTypedWhenADatanodeIsDeadAndWelcomeItBack() throws CrailException {
        namenode.register(first, 1, 4);
        FileInfo file = namenode.hiddenFile("/a").file();
        namenode.extend(file, 2);
        namenode.pass(DATANODE_TIMEOUT_MS);
        assertThat(namenode.read(file.getFd(), 0, 2)).hasSize(2);

        namenode.pass(1);
        assertThatThrownBy(() -> namenode.read(file.getFd(), 0, 2))
                .isInstanceOf(DatanodeLostException.class)
                .hasMessageContaining(first.address())
                .hasMessageContaining(
                        "; wait until it is heard, start it again if its tier keeps data over a restart, or"
                                + " delete the node and write it again");
        assertFails(ErrorCode.DATANODE_LOST, () -> namenode.extend(file, 2));
        assertThat(namenode.find("/a").firstBlock()).isNull();
        assertThat(namenode.find("/a").file().getFd()).isEqualTo(file.getFd());
        assertThat(namenode.reportOf(first).live()).isFalse();
        assertThat(namenode.reportOf(first).stopped()).isFalse();

        namenode.heartbeat(first, 1);
        assertThat(namenode.read(file.getFd(), 0, 2)).hasSize(2);
        assertThat(namenode.reportOf(first).live()).isTrue();
    }

    @Test
    void shouldNotAllocateOnDeadDatanodes() throws CrailException {
        namenode.register(first, 1, 4);
        namenode.pass(DATANODE_TIMEOUT_MS + 1);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.hiddenFile("/a"));
        namenode.register(second, 1, 4);
        FileInfo file = namenode.hiddenFile("/a").file();
        assertThat(namenode.extend(file, 10)).hasSize(4).allSatisfy(block -> assertThat(block.getDnInfo())
                .isEqualTo(second));
    }

    @Test
    void shouldGiveOutNoBlocksOfADatanodeThatStopsUntilItIsHeardAgain() throws CrailException {
        namenode.register(first, 1, 4);
        FileInfo file = namenode.hiddenFile("/a").file();
        namenode.register(second, 1, 4);

        namenode.service.heartbeat(new HeartbeatRequest(first, 1, true));

        assertThat(namenode.reportOf(first).live()).isFalse();
        assertThatThrownBy(() -> namenode.read(file.getFd(), 0, 1))
                .isInstanceOf(DatanodeLostException.class)
                .hasMessageContaining(first.address() + ", which was stopped")
                .hasMessageContaining("; start it again if its tier keeps data over a restart, or delete the node");
        assertThat(namenode.reportOf(first).stopped()).isTrue();
        FileInfo other = namenode.hiddenFile("/b").file();
        assertThat(namenode.extend(other, 4)).extracting(BlockInfo::getDnInfo).containsOnly(second);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.hiddenFile("/c"));

        namenode.heartbeat(first, 1);

        assertThat(namenode.read(file.getFd(), 0, 1)).hasSize(1);
        namenode.hiddenFile("/c");
    }

    @Test
    void shouldAnswerTheBlocksBeforeTheFirstLostOne() throws CrailException {
        namenode.register(first, 1, 1);
        FileInfo file = namenode.hiddenFile("/a").file();
        namenode.pass(DATANODE_TIMEOUT_MS);
        namenode.register(second, 1, 2);
        namenode.extend(file, 3);
        namenode.pass(1);
        assertThat(namenode.read(file.getFd(), BLOCK, 2)).hasSize(2);
        assertFails(ErrorCode.DATANODE_LOST, () -> namenode.read(file.getFd(), 0, 3));
        namenode.pass(DATANODE_TIMEOUT_MS);
        namenode.heartbeat(first, 1);
        assertThat(namenode.read(file.getFd(), 0, 3)).hasSize(1);
    }

    /** D9: a datanode that comes back empty takes nothing over from its former life. */
    @Test
    void shouldRetireTheFormerLifeOfADatanodeThatComesBackEmpty() throws CrailException {
        namenode.register(first, 1, 8);
        FileInfo file = namenode.hiddenFile("/a").file();
        namenode.extend(file, 2);
        namenode.hiddenFile("/b");
        namenode.remove("/b", false);
        namenode.stop(first, 1);
        assertThat(namenode.register(first, 2, 4)).isEqualTo(4);

        CheckResponse check = namenode.check();
        assertThat(check.registered()).isEqualTo(4);
        assertThat(check.free()).isEqualTo(4);
        assertThat(check.pending()).isZero();
        assertThat(check.allocated()).isZero();
        assertThat(check.lost()).isEqualTo(2);
        assertThatThrownBy(() -> namenode.read(file.getFd(), 0, 1))
                .isInstanceOf(DatanodeLostException.class)
                .hasMessageContaining(first.address())
                .hasMessageContaining(
                        "lost its data: it came back empty, was forgotten, or another datanode took its medium over;"
                                + " delete the node and write it again")
                .hasMessageNotContaining("restart");

        namenode.remove("/a", false);
        namenode.reclaimAll();
        assertThat(namenode.check().free()).isEqualTo(4);
        assertThat(namenode.check().lost()).isZero();
    }

    @Test
    void shouldFreeBlocksOfDeadDatanodesForTheirReturn() throws CrailException {
        namenode.register(first, 1, 4);
        namenode.hiddenFile("/a");
        namenode.pass(DATANODE_TIMEOUT_MS + 1);
        namenode.remove("/a", false);
        namenode.reclaimAll();
        assertThat(namenode.check().free()).isEqualTo(4);
        assertThat(namenode.heartbeat(first, 1)).isEqualTo(4);
    }

    @Test
    void shouldReportDatanodesInTheOrderOfRegistration() throws CrailException {
        namenode.register(second, 1, 4);
        namenode.register(first, 1, 6);
        namenode.hiddenFile("/a");
        namenode.remove("/a", false);
        namenode.clock.advanceMs(3);
        DatanodeReport report = namenode.reportOf(second);
        assertThat(report.blocks()).isEqualTo(4);
        assertThat(report.freeBlocks()).isEqualTo(3);
        assertThat(report.pendingBlocks()).isEqualTo(1);
        assertThat(report.heartbeatAgeMs()).isEqualTo(3);
        var cluster = namenode.service.report(new ReportRequest());
        assertThat(cluster.datanodes()).extracting(DatanodeReport::datanode).containsExactly(second, first);
        assertThat(cluster.uptimeMs()).isEqualTo(3);
        assertThat(cluster.nodes()).isEqualTo(1);
    }

    @Test
    void shouldRefuseMoreBlocksThanItsHeapCanHold() {
        long blocks = Runtime.getRuntime().maxMemory() / 32 + 1;
        assertThatThrownBy(() -> namenode.register(first, 1, region(0, blocks)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("-Xmx");
    }

    @Test
    void shouldReportMoreDatanodesThanFitAMessage() throws CrailException {
        List<DataNodeInfo> registered = new ArrayList<>();
        for (int port = 1; port <= 1500; port++) {
            DataNodeInfo datanode = new DataNodeInfo(0, 0, 0, "host-with-a-long-name.example.org", port);
            namenode.register(datanode, 1, 1);
            registered.add(datanode);
        }

        List<DataNodeInfo> reported = new ArrayList<>();
        ReportResponse page;
        do {
            page = namenode.service.report(new ReportRequest(reported.size()));
            assertThat(page.encodedLength()).isLessThan(RpcTransport.MAX_MESSAGE_BYTES);
            page.datanodes().forEach(report -> reported.add(report.datanode()));
        } while (reported.size() < page.datanodeCount());

        assertThat(reported).isEqualTo(registered);
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.service.report(new ReportRequest(-1)));
    }

    @Test
    void shouldIssueHigherEpochsAfterARestart() throws CrailException {
        namenode.register(first, 1, 1);
        long before = namenode.hiddenFile("/a").firstBlock().epoch();
        namenode.clock.advanceMs(1);
        Fixture restarted = new Fixture(BlockSelection.ROUNDROBIN, namenode.clock);
        restarted.register(first, 1, 1);
        assertThat(restarted.hiddenFile("/a").firstBlock().epoch()).isGreaterThan(before);
    }
}
