/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.DatanodeReplacedException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several datanodes at one target. */
class SharedMediaTest {
    private final Fixture namenode = new Fixture();
    private final DataNodeInfo low = datanode("begin=0");
    private final DataNodeInfo high = datanode("begin=100");

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private static DataNodeInfo datanode(String locator) {
        return new DataNodeInfo(0, 1, 0, "target", 4420, locator);
    }

    private long register(DataNodeInfo datanode, long incarnation, String medium, int first, int blocks)
            throws CrailException {
        Region region = new Region(0, (long) first * BLOCK, (long) blocks * BLOCK, 0);
        return namenode.service
                .register(new RegisterRequest(datanode, incarnation, medium, List.of(region)))
                .blocks();
    }

    private long freeBlocks() throws CrailException {
        return namenode.service.report(new ReportRequest(0)).datanodes().stream()
                .mapToLong(report -> report.freeBlocks())
                .sum();
    }

    @Test
    void shouldTellDatanodesOfOneAddressApart() throws CrailException {
        register(low, 1, "disk", 0, 100);
        register(high, 2, "disk", 101, 50);
        assertThat(namenode.heartbeat(low, 1)).isEqualTo(100);
        assertThat(namenode.heartbeat(high, 2)).isEqualTo(50);
        assertThat(namenode.service.report(new ReportRequest(0)).datanodes())
                .extracting(report -> report.datanode().locator())
                .containsExactly("begin=0", "begin=100");
    }

    @Test
    void shouldAnswerNoMoreBlocksThanAMessageHolds() throws CrailException {
        DataNodeInfo longest = new DataNodeInfo(0, 0, 0, "h".repeat(255), 4420, "l".repeat(640));
        register(longest, 1, "disk", 0, 200);
        FileInfo file = namenode.hiddenFile("/a").file();
        MapRequest request = new MapRequest(file.getFd(), file.getToken(), 0, MapRequest.MAX_COUNT);
        MapResponse answer = namenode.service.map(request);
        assertThat(answer.blocks()).hasSizeBetween(64, MapRequest.MAX_COUNT - 1);
        assertThat(answer.encodedLength()).isLessThan(RpcTransport.MAX_MESSAGE_BYTES);
        DataNodeInfo tooLong = new DataNodeInfo(0, 0, 0, "h", 4420, "l".repeat(641));
        assertThatThrownBy(() -> register(tooLong, 1, "disk", 200, 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("640 bytes");
    }

    @Test
    void shouldRefuseARangeThatALiveDatanodeOffers() throws CrailException {
        register(low, 1, "disk", 0, 101);
        assertThatThrownBy(() -> register(high, 2, "disk", 100, 50))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("disk")
                .hasMessageContaining("target:4420 [begin=0]")
                .hasMessageContaining("a range of its own");
        register(high, 2, "another disk", 100, 50);
        assertThat(register(low, 1, "disk", 0, 101)).isEqualTo(101);
    }

    /** There a datanode keeps what tells whose the range is. */
    @Test
    void shouldCountTheBlockBeforeTheFirstRegionToTheRange() throws CrailException {
        register(low, 1, "disk", 1, 100);
        assertThatThrownBy(() -> register(high, 2, "disk", 101, 50)).isInstanceOf(InvalidRequestException.class);
        register(high, 2, "disk", 102, 50);
        assertThatThrownBy(() -> register(low, 1, "disk", 1, 101)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void shouldHoldBackWhatClientsMayKnowFromASilentDatanode() throws CrailException {
        register(low, 1, "disk", 0, 100);
        namenode.pass(Fixture.DATANODE_TIMEOUT_MS + 1);
        register(high, 2, "disk", 50, 100);
        assertThat(freeBlocks()).isZero();
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        namenode.hiddenFile("/a");
        assertThat(freeBlocks()).isEqualTo(99);
        assertThatThrownBy(() -> namenode.heartbeat(low, 1)).isInstanceOf(DatanodeNotRegisteredException.class);
        assertThatThrownBy(() -> register(low, 1, "disk", 0, 100)).isInstanceOf(InvalidRequestException.class);
    }

    /** Two that are told the same target and range have the same address and locator, wherever they run. */
    @Test
    void shouldRefuseTheVeryRangeOfALiveDatanodeAndLeaveItAlone() throws CrailException {
        register(low, 1, "disk", 1, 100);
        for (int blocks : new int[] {100, 20}) {
            assertThatThrownBy(() -> register(low, 2, "disk", 1, blocks))
                    .isInstanceOf(AddressTakenException.class)
                    .hasMessageContaining("target:4420 [begin=0]")
                    .hasMessageContaining("a range of its own");
        }
        assertThat(namenode.heartbeat(low, 1)).isEqualTo(100);
        assertThatThrownBy(() -> namenode.heartbeat(low, 2)).isInstanceOf(DatanodeNotRegisteredException.class);
        assertThat(register(low, 1, "disk", 1, 100)).isEqualTo(100);
        assertThat(freeBlocks()).isEqualTo(100);
    }

    @Test
    void shouldGiveARangeOverWhenItsDatanodeHasBeenSilentForTooLong() throws CrailException {
        register(low, 1, "disk", 0, 100);
        namenode.pass(Fixture.DATANODE_TIMEOUT_MS);
        assertThatThrownBy(() -> register(low, 2, "disk", 0, 100)).isInstanceOf(AddressTakenException.class);
        namenode.pass(1);
        assertThat(register(low, 2, "disk", 0, 100)).isEqualTo(100);
        assertThatThrownBy(() -> namenode.heartbeat(low, 1)).isInstanceOf(DatanodeReplacedException.class);
        assertThatThrownBy(() -> register(low, 1, "disk", 0, 100)).isInstanceOf(DatanodeReplacedException.class);
    }

    /** What another medium had is lost, whoever offers this one. */
    @Test
    void shouldAcceptAnotherMediumInThePlaceOfTheFormerOne() throws CrailException {
        register(low, 1, "disk", 0, 100);
        namenode.stop(low, 1);
        assertThat(register(low, 2, "another disk", 0, 50)).isEqualTo(50);
        assertThatThrownBy(() -> namenode.heartbeat(low, 1)).isInstanceOf(DatanodeReplacedException.class);
    }

    @Test
    void shouldHoldBackTheBlocksOfADatanodeThatBeginsAnew() throws CrailException {
        register(low, 1, "disk", 0, 100);
        assertThat(freeBlocks()).isEqualTo(100);
        namenode.service.heartbeat(new HeartbeatRequest(low, 1, true));
        register(low, 2, "disk", 0, 100);
        assertThat(freeBlocks()).isZero();
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        namenode.hiddenFile("/a");
        assertThat(freeBlocks()).isEqualTo(99);
    }
}
