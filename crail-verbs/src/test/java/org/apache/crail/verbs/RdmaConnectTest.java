/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.util.MemoryUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connects that fail, and calls that come too early, on a device. P3 in the README says what is to happen. */
@Tag("rdma")
final class RdmaConnectTest {
    @Test
    void shouldSayThatNothingListens() throws IOException {
        try (Pair pair = new Pair()) {
            pair.client = new Peer();
            pair.client.resolve(pair.address, 1);
            pair.client.allocate(4, 0);
            pair.client.connect();
            pair.client.expectEvent(Peer.DISCONNECTED);
            assertThat(pair.client.eventId).isEqualTo(pair.client.id);
            assertThat(pair.client.eventListener).isEqualTo(-1);
            assertFailed(
                    pair.client, pair.address.getHostAddress() + " port 1: RDMA_CM_EVENT_REJECTED", "nothing listens");
        }
    }

    @Test
    void shouldSayThatThePeerRefused() throws IOException {
        try (Pair pair = new Pair()) {
            pair.request();
            assertThat(pair.listener.natives._destroyCmId(pair.listener.eventId))
                    .isZero();
            pair.client.expectEvent(Peer.DISCONNECTED);
            assertFailed(pair.client, "RDMA_CM_EVENT_REJECTED");
        }
    }

    /** The kernel would wait for more than a minute. */
    @Test
    void shouldGiveUpAConnectThatIsNotAnswered() throws IOException {
        try (Pair pair = new Pair()) {
            long start = System.nanoTime();
            pair.request();
            assertThat(pair.client.nextEvent(100)).isEqualTo(-1);
            pair.client.expectEvent(Peer.DISCONNECTED);
            int limitMs = Peer.connectTimeoutMs();
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(limitMs));
            assertFailed(pair.client, "no answer within " + limitMs + " ms");

            // The answer comes too late: neither end takes the connection for established.
            Peer server = new Peer();
            pair.server = server;
            server.id = pair.listener.eventId;
            server.allocate(4, 0);
            server.natives._accept(server.id, 7, 7);
            assertThat(pair.client.nextEvent(500)).isIn(-1, Peer.DISCONNECTED);
        }
    }

    /** An address for documentation, to which no route leads, or only one without an RDMA device. */
    @Test
    void shouldFailWhereNoDeviceLeadsToTheAddress() throws IOException {
        try (Peer peer = new Peer()) {
            peer.createId();
            assertThatThrownBy(() -> {
                        resolve(peer, InetAddress.getByAddress(new byte[] {(byte) 203, 0, 113, 1}));
                        peer.expectEvent(Peer.ROUTE_RESOLVED);
                        peer.natives._getContext(peer.id);
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("to 203.0.113.1 port 25344");
        }
    }

    /** Nobody has this address: the request is lost, or the address cannot be resolved. */
    @Test
    void shouldFailWhereNobodyHasTheAddress() throws IOException {
        try (Peer peer = new Peer()) {
            byte[] address = Natives.deviceAddress().getAddress();
            address[3] = (byte) 222;
            peer.createId();
            resolve(peer, InetAddress.getByAddress(address));
            if (peer.nextEvent(Peer.PATIENCE_MS) == Peer.ADDR_RESOLVED) {
                peer.natives._resolveRoute(peer.id, 2000);
                peer.expectEvent(Peer.ROUTE_RESOLVED);
                peer.allocate(4, 0);
                peer.connect();
                peer.expectEvent(Peer.DISCONNECTED);
                assertFailed(peer, InetAddress.getByAddress(address).getHostAddress());
            } else {
                assertThatThrownBy(() -> peer.natives._getContext(peer.id)).isInstanceOf(IOException.class);
            }
        }
    }

    private static void resolve(Peer peer, InetAddress address) throws IOException {
        var buffer = Natives.memory(64);
        buffer.putShort(0, (short) 2).putShort(2, (short) 99).put(4, address.getAddress(), 0, 4);
        peer.natives._resolveAddr(peer.id, 0, MemoryUtils.getAddress(buffer), 1000);
    }

    /** P9: librdmacm would follow a null pointer. */
    @Test
    void shouldRefuseCallsThatComeTooEarly() throws IOException {
        try (Peer peer = new Peer()) {
            peer.createId();
            assertThat(peer.natives._getContext(peer.id)).isEqualTo(-1);
            assertThatThrownBy(() -> peer.natives._resolveRoute(peer.id, 100))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("before the id is bound to a device");
            assertThatThrownBy(peer::connect)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("before the id is bound to a device");
            assertThatThrownBy(() -> peer.natives._accept(peer.id, 0, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("before the id is bound to a device");
            assertThat(peer.natives._disconnect(peer.id)).isEqualTo(-1);
            assertThat(peer.natives._destroyQP(peer.id)).isEqualTo(-1);
        }
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            assertThatThrownBy(peer::connect)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("before the id is given a queue pair");
        }
    }

    /** P10 */
    @Test
    void shouldTellThatAListenerOnAllAddressesHasNoDevice() throws IOException {
        try (Peer peer = new Peer()) {
            peer.bind(InetAddress.getByAddress(new byte[4]), 0);
            assertThat(peer.natives._getContext(peer.id)).isEqualTo(-1);
        }
    }

    @Test
    void shouldNameTheAddressThatCannotBeBound() throws IOException {
        try (Pair pair = new Pair();
                Peer peer = new Peer()) {
            int taken = pair.listener.port();
            assertThatThrownBy(() -> {
                        peer.bind(pair.address, taken);
                        peer.natives._listen(peer.id, 1);
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Address already in use");
            assertThatThrownBy(() -> peer.bind(InetAddress.getByAddress(new byte[] {8, 8, 8, 8}), 99))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("rdma_bind_addr to 8.8.8.8 port 99 failed");
        }
    }

    /** P16: the length is an unsigned byte, and 56 bytes are what there is place for. */
    @Test
    void shouldRefuseMorePrivateDataThanThereIsPlaceFor() throws IOException {
        try (Pair pair = new Pair()) {
            Peer peer = new Peer();
            pair.client = peer;
            peer.resolve(pair.address, pair.listener.port());
            peer.allocate(4, 0);
            assertThatThrownBy(() -> peer.natives._connect(peer.id, 0, 0, peer.regionAddress, (byte) 57))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("57 bytes of private data, at most 56");
            assertThatThrownBy(() -> peer.natives._connect(peer.id, 0, 0, peer.regionAddress, (byte) -1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("255 bytes");
            assertThatThrownBy(() -> peer.natives._connect(peer.id, 0, 0, 0, (byte) 8))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Bad address");
            peer.natives._connect(peer.id, 0, 0, peer.regionAddress, (byte) 56);
            pair.listener.expectEvent(Peer.CONNECT_REQUEST);
        }
    }

    @Test
    void shouldRefuseAQueuePairThatIsTooLargeOrASecondOne() throws IOException {
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            peer.allocateWithoutQueuePair(16);
            assertThatThrownBy(() -> peer.natives._createQP(peer.id, peer.pd, peer.cq, peer.cq, 2, 1 << 30, 1, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("rdma_create_qp with 1073741824 send requests");
            assertThatThrownBy(() -> peer.natives._createQP(peer.id, peer.pd, peer.cq, peer.cq, 2, -1, 1, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("negative");
            peer.qp = peer.natives._createQP(peer.id, peer.pd, peer.cq, peer.cq, 2, 1, 1, 0);
            assertThatThrownBy(() -> peer.natives._createQP(peer.id, peer.pd, peer.cq, peer.cq, 2, 1, 1, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has a queue pair");
            assertThatThrownBy(() -> peer.natives._createCQ(peer.context, peer.compChannel, 0, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ibv_create_cq with 0 entries");
            assertThatThrownBy(() -> peer.natives._createCQ(peer.context, peer.compChannel, 1 << 30, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ibv_create_cq");
            assertThatThrownBy(() -> peer.natives._createCQ(peer.context, peer.compChannel, 1, 999))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("completion vector 999");
        }
    }

    /** P8: the addresses of an id can be asked for in any state. */
    @Test
    void shouldTellAddressesInAnyState() throws IOException {
        var buffer = Natives.memory(64);
        long address = MemoryUtils.getAddress(buffer);
        try (Pair pair = Pair.connected()) {
            buffer.putLong(8, -1);
            assertThat(pair.client.natives._getDstAddr(pair.client.id, address)).isZero();
            assertThat(Short.toUnsignedInt(Short.reverseBytes(buffer.getShort(2))))
                    .isEqualTo(pair.listener.port());
            byte[] host = new byte[4];
            buffer.get(4, host);
            assertThat(host).isEqualTo(pair.address.getAddress());
            assertThat(buffer.getLong(8)).isZero();
            pair.client.natives._disconnect(pair.client.id);
            assertThat(pair.client.natives._getDstAddr(pair.client.id, address)).isZero();
        }
        try (Peer peer = new Peer()) {
            peer.createId();
            assertThat(peer.natives._getSrcAddr(peer.id, address)).isZero();
            assertThat(buffer.getInt(4)).isZero();
            assertThat(peer.natives._getDstAddr(peer.id, 0)).isEqualTo(-1);
        }
    }

    @Test
    void shouldTellThatThePeerDisconnected() throws IOException {
        try (Pair pair = Pair.connected()) {
            assertThat(pair.client.natives._disconnect(pair.client.id)).isZero();
            pair.listener.expectEvent(Peer.DISCONNECTED);
            assertThat(pair.listener.eventId).isEqualTo(pair.server.id);
            assertThat(pair.server.natives._disconnect(pair.server.id)).isZero();
            pair.client.expectEvent(Peer.DISCONNECTED);
        }
    }

    /** Nothing waits for ever: closing a channel ends the wait of another thread. */
    @Test
    void shouldEndWaitsWhenTheChannelIsClosed() throws Exception {
        Pair pair = Pair.connected();
        Peer peer = pair.client;
        CompletableFuture<Integer> event =
                CompletableFuture.supplyAsync(() -> peer.nextEvent(-1), RdmaConnectTest::start);
        CompletableFuture<Integer> completion = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return peer.natives._getCqEvent(peer.compChannel, -1);
                    } catch (IOException e) {
                        return -1; // it was closed before it was asked
                    }
                },
                RdmaConnectTest::start);
        assertThatThrownBy(() -> event.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(completion).isNotDone();
        assertThat(peer.natives._destroyCompChannel(peer.compChannel)).isZero();
        assertThat(completion.get(Peer.PATIENCE_MS, TimeUnit.MILLISECONDS)).isEqualTo(-1);
        assertThat(peer.natives._destroyEventChannel(peer.channel)).isZero();
        assertThat(event.get(Peer.PATIENCE_MS, TimeUnit.MILLISECONDS)).isEqualTo(-1);
        pair.close();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "waits");
        thread.setDaemon(true);
        thread.start();
    }

    private static void assertFailed(Peer peer, String... parts) {
        assertThatThrownBy(() -> peer.send(1, 2, 2, 0, 8, 0, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(parts);
        assertThatThrownBy(peer::connect).isInstanceOf(IOException.class).hasMessageContainingAll(parts);
    }
}
