/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.hello;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.RawSocket;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D11: whatever one connection does, the others are served. */
@ExtendWith(LeakGuard.class)
class TcpServerRobustnessTest {
    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private TierFixture fixture;
    private StorageEndpoint neighbour;
    private CrailBuffer data;

    @BeforeEach
    void connectANeighbour() throws Exception {
        fixture = new TierFixture(dataPath, true).start();
        neighbour = fixture.endpoint();
        data = random(new Random(9), BLOCK);
        get(neighbour.write(data, fixture.block(0), 0));
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private void assertNeighbourIsServed() throws Exception {
        CrailBuffer copy = buffer(BLOCK);
        assertThat(get(neighbour.read(copy, fixture.block(0), 0))).isEqualTo(BLOCK);
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
    }

    private RawSocket connect() throws IOException {
        return new RawSocket(fixture.server.address());
    }

    private ByteBuffer request(int operation, long id, int block, int offset, int length) {
        return TierFixture.request(operation, id, fixture.block(block), offset, length);
    }

    @Test
    void shouldEndAConnectionThatSendsGarbage() throws Exception {
        byte[] garbage = new byte[10_000];
        new Random(3).nextBytes(garbage);
        try (RawSocket socket = connect()) {
            socket.send(garbage);
            assertThat(socket.isEndedByPeer()).isTrue();
        }
        try (RawSocket socket = fixture.greeted(1)) {
            socket.send(garbage);
            assertThat(socket.isEndedByPeer()).isTrue();
        }
        assertNeighbourIsServed();
    }

    @Test
    void shouldRefuseAnotherVersion() throws Exception {
        try (RawSocket socket = connect()) {
            socket.send(hello(1, 99));
            ByteBuffer answer = socket.receive(TransferProtocol.HELLO_ANSWER_BYTES);
            assertThat(answer.getShort(6)).isEqualTo((short) ErrorCode.PROTOCOL_MISMATCH.number());
            byte[] text = socket.receiveBytes(answer.getInt(8));
            assertThat(new String(text, StandardCharsets.UTF_8)).contains("version 99");
            assertThat(socket.isEndedByPeer()).isTrue();
        }
        assertNeighbourIsServed();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void shouldEndAConnectionThatAsksForANegativeLength(int length) throws Exception {
        try (RawSocket socket = fixture.greeted(1)) {
            socket.send(request(TransferProtocol.READ, 1, 0, 0, length));
            assertThat(socket.isEndedByPeer()).isTrue();
        }
        assertNeighbourIsServed();
    }

    @Test
    void shouldRefuseRangesOutsideOfTheBlockAndGoOn() throws Exception {
        try (RawSocket socket = fixture.greeted(1)) {
            int[][] bad = {{-1, 10}, {0, BLOCK + 1}, {BLOCK, 1}, {Integer.MAX_VALUE, 10}, {1, Integer.MAX_VALUE}};
            for (int[] range : bad) {
                socket.send(request(TransferProtocol.READ, 7, 1, range[0], range[1]));
                ByteBuffer answer = socket.receive(TransferProtocol.HEAD_BYTES);
                assertThat(answer.getInt(8)).isEqualTo(ErrorCode.BLOCK_BOUNDS.number());
                socket.receive(answer.getInt(12));
            }
            socket.send(request(TransferProtocol.WRITE, 8, 1, BLOCK - 5, 10));
            socket.send(new byte[10]);
            ByteBuffer answer = socket.receive(TransferProtocol.HEAD_BYTES);
            assertThat(answer.getLong(0)).isEqualTo(8);
            assertThat(answer.getInt(8)).isEqualTo(ErrorCode.BLOCK_BOUNDS.number());
            socket.receive(answer.getInt(12));
            socket.send(request(TransferProtocol.READ, 9, 0, 0, BLOCK));
            assertThat(socket.receive(TransferProtocol.HEAD_BYTES).getLong(0)).isEqualTo(9);
            assertThat(socket.receiveBytes(BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 24, 30, 60, 5_000})
    void shouldSurviveConnectionsThatEndAnywhere(int sentBytes) throws Exception {
        ByteBuffer all = ByteBuffer.allocate(200_000)
                .put(hello(1, TransferProtocol.VERSION).flip());
        all.put(request(TransferProtocol.WRITE, 1, 2, 0, BLOCK).flip());
        for (int i = 0; i < 50; i++) {
            RawSocket socket = connect();
            socket.send(all.position(sentBytes));
            if (i % 2 == 0) {
                socket.reset();
            } else {
                socket.close();
            }
        }
        assertNeighbourIsServed();
        for (int i = 0; i < 200 && fixture.server.connections().size() > 1; i++) {
            LockSupport.parkNanos(50_000_000L);
        }
        assertThat(fixture.server.connections().size())
                .as("only the neighbour is left")
                .isEqualTo(1);
    }

    /** A client that comes back is alone: what it sent over its older connection cannot land any more. */
    @Test
    void shouldEndTheOlderConnectionOfAClientBeforeItAnswersTheNewOne() throws Exception {
        try (RawSocket older = fixture.greeted(77)) {
            older.send(request(TransferProtocol.WRITE, 1, 3, 0, BLOCK));
            older.send(new byte[BLOCK / 2]);
            try (RawSocket newer = fixture.greeted(77)) {
                assertThat(older.isEndedByPeer()).isTrue();
                byte[] block = bytes(random(new Random(4), BLOCK), 0, BLOCK);
                newer.send(request(TransferProtocol.WRITE, 1, 3, 0, BLOCK));
                newer.send(block);
                assertThat(newer.receive(TransferProtocol.HEAD_BYTES).getInt(8)).isZero();
                newer.send(request(TransferProtocol.READ, 2, 3, 0, BLOCK));
                newer.receive(TransferProtocol.HEAD_BYTES);
                assertThat(newer.receiveBytes(BLOCK)).isEqualTo(block);
            }
        }
        assertNeighbourIsServed();
    }

    /** A higher epoch that is seen while an older write is arriving stops the rest of it. */
    @Test
    void shouldStopAWriteWhenItsBlockIsGivenToAnotherNode() throws Exception {
        try (RawSocket older = fixture.greeted(5)) {
            older.send(request(TransferProtocol.WRITE, 1, 4, 0, BLOCK));
            older.send(new byte[100]);
            CrailBuffer newData = random(new Random(4), BLOCK);
            get(neighbour.write(newData, fixture.block(4, 2), 0));
            byte[] rest = new byte[BLOCK - 100];
            older.send(rest);
            ByteBuffer answer = older.receive(TransferProtocol.HEAD_BYTES);
            assertThat(answer.getInt(8)).isEqualTo(ErrorCode.STALE_BLOCK.number());
            CrailBuffer copy = buffer(BLOCK);
            get(neighbour.read(copy, fixture.block(4, 2), 0));
            assertThat(bytes(copy, 100, BLOCK)).isEqualTo(bytes(newData, 100, BLOCK));
        }
    }

    /** A client that does not read its answers is not read from; what waits for it is bounded. */
    @Test
    void shouldStopReadingFromAClientThatDoesNotReadItsAnswers() throws Exception {
        int requests = 2_000;
        ByteBuffer all = ByteBuffer.allocate(requests * TransferProtocol.HEAD_BYTES);
        for (int i = 0; i < requests; i++) {
            all.put(request(TransferProtocol.READ, i, 0, 0, BLOCK).flip());
        }
        try (RawSocket socket = fixture.greeted(1)) {
            socket.send(all);
            for (int i = 0; i < 20; i++) {
                assertNeighbourIsServed();
                assertThat(fixture.server.pendingReplyBytes()).isLessThan(8 << 20);
            }
            byte[] expected = bytes(data, 0, BLOCK);
            for (int i = 0; i < requests; i++) {
                assertThat(socket.receive(TransferProtocol.HEAD_BYTES).getLong(0))
                        .isEqualTo(i);
                assertThat(socket.receiveBytes(BLOCK)).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldSurviveManyConnections() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            RawSocket socket = connect();
            socket.send((byte) 0);
            socket.reset();
        }
        assertNeighbourIsServed();
    }
}
