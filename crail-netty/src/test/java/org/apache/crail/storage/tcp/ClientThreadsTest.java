/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.namenode.rpc.tcp.TcpNameNode;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose threads serve a store's connections to datanodes. */
class ClientThreadsTest {
    /** So many failures in a row make the pause before the next attempt longer than the test. */
    private static final int FAILURES = 8;

    @TempDir
    Path directory;

    private TierFixture fixture;
    private TcpNameNode transport;

    @BeforeEach
    void start() throws Exception {
        fixture = new TierFixture(directory, true).start();
        transport = new TcpNameNode();
        transport.init(fixture.conf);
    }

    @AfterEach
    void stop() {
        transport.close();
        fixture.close();
    }

    private void readBlock(StorageClient client) throws Exception {
        StorageEndpoint endpoint = client.createEndpoint(fixture.datanode());
        assertThat(TierFixture.get(endpoint.read(TierFixture.buffer(100), fixture.block(0), 0)))
                .isEqualTo(100);
    }

    @Test
    void shouldUseThoseOfItsTransportAndLeaveThemRunning() throws Exception {
        TcpStorageClient client = (TcpStorageClient) fixture.tier.createClient(fixture.conf, transport);
        assertThat(client.loops).isSameAs(transport.threads(EventLoops.class).orElseThrow());
        readBlock(client);
        client.close();
        assertThat(transport.threads(EventLoops.class).orElseThrow().group().isShuttingDown())
                .isFalse();
        try (StorageClient next = fixture.tier.createClient(fixture.conf, transport)) {
            readBlock(next);
        }
    }

    @Test
    void shouldFailWhatIsInFlightWhenItEndsBeforeThem() throws Exception {
        try (FakeDatanode silent = new FakeDatanode();
                FakeDatanode mute = new FakeDatanode()) {
            StorageClient client = fixture.tier.createClient(fixture.conf, transport);
            CompletableFuture<Integer> sent = read(client, silent);
            CompletableFuture<Integer> connecting = read(client, mute);
            silent.accept();
            silent.welcome();
            long ignored = silent.receiveRequest();
            client.close();
            assertThat(TierFixture.failure(sent)).isInstanceOf(ClosedException.class);
            assertThat(TierFixture.failure(connecting)).isInstanceOf(ClosedException.class);
        }
    }

    @Test
    void shouldFailWhatWaitsWhenTheyEndBeforeIt() throws Exception {
        FakeDatanode gone = new FakeDatanode();
        gone.close();
        StorageClient client = fixture.tier.createClient(fixture.conf, transport);
        StorageEndpoint endpoint = client.createEndpoint(new DataNodeInfo(0, 0, 0, "127.0.0.1", gone.port()));
        for (int i = 0; i < FAILURES; i++) {
            assertThat(TierFixture.failure(read(endpoint))).isInstanceOf(DatanodeUnreachableException.class);
        }
        CompletableFuture<Integer> waiting = read(endpoint); // for the end of the pause before the next attempt
        transport.close();
        client.close();
        assertThat(TierFixture.failure(waiting)).isInstanceOf(ClosedException.class);
    }

    private CompletableFuture<Integer> read(StorageEndpoint endpoint) throws Exception {
        return endpoint.read(TierFixture.buffer(100), fixture.block(0), 0);
    }

    private CompletableFuture<Integer> read(StorageClient client, FakeDatanode datanode) throws Exception {
        StorageEndpoint endpoint = client.createEndpoint(new DataNodeInfo(0, 0, 0, "127.0.0.1", datanode.port()));
        return read(endpoint);
    }

    @Test
    void shouldHaveItsOwnIfSoManyAreAskedFor() throws Exception {
        fixture.conf.set(TcpTierKeys.STORAGE_CLIENT_CORES, 1);
        TcpStorageClient client = (TcpStorageClient) fixture.tier.createClient(fixture.conf, transport);
        assertThat(client.loops).isNotSameAs(transport.threads(EventLoops.class).orElseThrow());
        readBlock(client);
        client.close();
        assertThat(client.loops.group().isShuttingDown()).isTrue();
    }

    @Test
    void shouldHaveItsOwnBesideAnotherTransport() throws Exception {
        TcpStorageClient client = (TcpStorageClient) fixture.tier.createClient(fixture.conf, new OtherTransport());
        readBlock(client);
        client.close();
        assertThat(client.loops.group().isShuttingDown()).isTrue();
    }

    /** One without threads to share. */
    private static final class OtherTransport implements RpcTransport {
        @Override
        public void init(CrailConfiguration configuration) {}

        @Override
        public CompletableFuture<RpcChannel> connect(
                InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
