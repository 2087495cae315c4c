/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What goes over a connection, on a device. */
@Tag("rdma")
final class RdmaTransferTest {
    private static final int WRITE = 0;
    private static final int WRITE_WITH_IMMEDIATE = 1;
    private static final int SEND = 2;
    private static final int READ = 4;
    private static final int ATOMIC = 5;
    private static final int SIGNALED = 2;
    private static final int INLINE = 8;
    private static final int REMOTE_ACCESS_ERROR = 10;
    private static final int FLUSHED = 5;
    private static final int RECEIVED = 128;
    private static final int RECEIVED_WITH_IMMEDIATE = 129;

    private Pair pair;

    @BeforeEach
    void connect() throws IOException {
        pair = Pair.connected();
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
    }

    @Test
    void shouldSendToAReceive() throws IOException {
        pair.server.receive(7, 100, 64);
        pair.client.region.putLong(0, 0xfeedL);
        pair.client.send(8, SEND, SIGNALED, 0, 8, 0, 0);

        assertThat(pair.client.complete())
                .extracting("wrId", "status", "opcode")
                .containsExactly(8L, 0, 0);
        Peer.Completion received = pair.server.complete();
        assertThat(received).extracting("wrId", "status", "opcode", "bytes").containsExactly(7L, 0, RECEIVED, 8);
        assertThat(pair.server.region.getLong(100)).isEqualTo(0xfeedL);
    }

    @Test
    void shouldWriteAndReadRemoteMemory() throws IOException {
        pair.client.region.putLong(0, 0x1234567890L);
        pair.client.send(1, WRITE, SIGNALED, 0, 4096, pair.server.regionAddress + 4096, pair.server.rkey);
        assertThat(pair.client.complete()).extracting("wrId", "status").containsExactly(1L, 0);
        assertThat(pair.server.region.getLong(4096)).isEqualTo(0x1234567890L);

        pair.server.region.putLong(8192, 0x0abcdefL);
        pair.client.send(2, READ, SIGNALED, 512, 32 * 1024, pair.server.regionAddress + 8192, pair.server.rkey);
        assertThat(pair.client.complete())
                .extracting("wrId", "status", "opcode")
                .containsExactly(2L, 0, 2);
        assertThat(pair.client.region.getLong(512)).isEqualTo(0x0abcdefL);
    }

    @Test
    void shouldWriteInlineAndTellTheImmediateValue() throws IOException {
        pair.server.receive(3, 0, 0);
        pair.client.region.putLong(0, 99);
        pair.client.send(
                4, WRITE_WITH_IMMEDIATE, SIGNALED | INLINE, 0, 8, pair.server.regionAddress + 64, pair.server.rkey);
        assertThat(pair.client.complete()).extracting("wrId", "status").containsExactly(4L, 0);
        assertThat(pair.server.complete())
                .extracting("wrId", "status", "opcode", "immediate")
                .containsExactly(3L, 0, RECEIVED_WITH_IMMEDIATE, 0x01020304);
        assertThat(pair.server.region.getLong(64)).isEqualTo(99);
    }

    @Test
    void shouldPostAChain() throws IOException {
        for (int i = 0; i < 4; i++) {
            pair.server.receive(i, 64 * i, 64);
        }
        pair.client.sendChain(4, SEND);
        for (int i = 0; i < 4; i++) {
            assertThat(pair.client.complete()).extracting("wrId", "status").containsExactly((long) i, 0);
        }
    }

    @Test
    void shouldTellAWrongKeyByItsStatusAndFlushTheRest() throws IOException {
        pair.client.send(1, READ, SIGNALED, 0, 8, pair.server.regionAddress, pair.server.rkey + 0x1000);
        assertThat(pair.client.complete()).extracting("wrId", "status").containsExactly(1L, REMOTE_ACCESS_ERROR);
        pair.client.send(2, SEND, SIGNALED, 0, 8, 0, 0);
        assertThat(pair.client.complete()).extracting("wrId", "status").containsExactly(2L, FLUSHED);
    }

    /** P19: DiSNI leaves the operands of other operations as it finds them. */
    @Test
    void shouldRefuseOtherOperationsAndPostNothingOfTheirChain() throws IOException {
        assertThatThrownBy(() -> pair.client.sendChain(3, SEND, SEND, ATOMIC))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ibv_post_send of request 2 of the chain")
                .hasMessageContaining("not supported");
        pair.server.receive(1, 0, 64);
        pair.client.send(9, SEND, SIGNALED, 0, 8, 0, 0);
        assertThat(pair.client.complete().wrId()).isEqualTo(9);
    }

    /** P19: what is posted before the failing request stays posted, so its index is told. */
    @Test
    void shouldTellWhichRequestFoundTheQueueFull() {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        pair.server.receive(i, 0, 64);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ibv_post_recv of request 0 of the chain (the queue is full)")
                .hasMessageContaining("errno 12");
    }

    @Test
    void shouldRefuseNoRequest() {
        assertThatThrownBy(() -> pair.client.natives._postSend(pair.client.qp, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ibv_post_send");
        assertThatThrownBy(() -> pair.client.natives._postRecv(pair.client.qp, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ibv_post_recv");
    }

    @Test
    void shouldWakeUpForACompletion() throws IOException {
        assertThat(pair.client.natives._getCqEvent(pair.client.compChannel, 0)).isEqualTo(-1);
        assertThat(pair.client.natives._reqNotifyCQ(pair.client.cq, 0)).isZero();
        pair.client.send(1, WRITE, SIGNALED, 0, 8, pair.server.regionAddress, pair.server.rkey);
        assertThat(pair.client.natives._getCqEvent(pair.client.compChannel, Peer.PATIENCE_MS))
                .isZero();
        assertThat(pair.client.complete().wrId()).isEqualTo(1);
        assertThat(pair.client.natives._getCqEvent(pair.client.compChannel, 50)).isEqualTo(-1);
    }

    /** P4: the program may acknowledge as many events as it likes; they were acknowledged when they were taken. */
    @Test
    void shouldNotWaitForAcknowledgementsThatAreTooManyOrTooFew() throws IOException {
        pair.client.natives._reqNotifyCQ(pair.client.cq, 0);
        pair.client.send(1, WRITE, SIGNALED, 0, 8, pair.server.regionAddress, pair.server.rkey);
        assertThat(pair.client.natives._getCqEvent(pair.client.compChannel, Peer.PATIENCE_MS))
                .isZero();
        assertThat(pair.client.natives._ackCqEvent(pair.client.cq, 17)).isZero();
    }

    /** P18 */
    @Test
    void shouldRefuseToRegisterWhatHasNoLengthOrAddress() {
        Peer peer = pair.client;
        long address = peer.regionAddress;
        for (int length : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> peer.natives._regMr(peer.pd, address, length, 7, address, address, address))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ibv_reg_mr of " + length + " bytes");
        }
        assertThatThrownBy(() -> peer.natives._regMr(peer.pd, 0, 64, 7, address, address, address))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> peer.natives._regMr(peer.pd, address, 64, 7, 0, address, address))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> peer.natives._regMr(peer.pd, 4096, 4096, 7, address, address, address))
                .as("memory that is not there")
                .isInstanceOf(IOException.class)
                .hasMessageContaining("errno 14");
    }

    @Test
    void shouldTellNumbers() throws IOException {
        Peer peer = pair.client;
        assertThat(peer.natives._getQpNum(peer.qp)).isPositive();
        assertThat(peer.natives._getContextFd(peer.context))
                .isPositive()
                .isEqualTo(pair.server.natives._getContextFd(pair.server.context));
        assertThat(peer.context).isEqualTo(pair.server.context);
        assertThat(peer.natives._getContextNumCompVectors(peer.context)).isPositive();
        assertThat(peer.natives._getPdHandle(peer.pd)).isNotEqualTo(peer.natives._getPdHandle(pair.server.pd));
        assertThat(peer.natives._queryOdpSupport(peer.context)).isGreaterThanOrEqualTo(-1);
    }
}
