/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client's end of the metadata protocol against a namenode in this process, over connections that break. */
class NamenodeConnectionTest {
    private final MemoryTransport transport = new MemoryTransport();
    private MiniCluster cluster;
    private NamenodeConnection connection;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.MEMORY)
                .blocksPerDatanode(4096)
                .with("crail.smallblocksize", "0") // a block for each file, so that they can be counted
                .start();
        connection = connect("crail", cluster.namenodeAddress(), 5_000);
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        transport.close();
        cluster.close();
    }

    @Test
    void shouldAnswerCalls() throws Exception {
        assertThat(connection.call(new PingRequest(41)).get()).isEqualTo(new PingResponse(42));
        assertThat(connection.cluster().clusterId()).isEqualTo("crail");
    }

    @Test
    void shouldFailWithTheErrorThatTheNamenodeFound() throws Exception {
        assertFails(new LookupRequest(CrailPath.parse("/nowhere"), false), NodeNotFoundException.class);
    }

    @Test
    void shouldExecuteEveryOperationOnceWhileConnectionsBreak() throws Exception {
        List<CompletableFuture<CreateResponse>> creates = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            creates.add(connection.call(create("/f" + i)));
            if (i % 100 == 50) {
                transport.breakConnections();
            }
        }
        for (CompletableFuture<CreateResponse> create : creates) {
            assertThat(create.get().file().getType()).isEqualTo(CrailNodeType.DATAFILE);
        }
        assertThat(connection.counters().retries()).isPositive();
        assertThat(cluster.checkBlocks().allocated()).isEqualTo(2_000);
    }

    @Test
    void shouldRemoveOnceWhileConnectionsBreak() throws Exception {
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            calls.add(connection.call(create("/g" + i)));
            calls.add(connection.call(new RemoveRequest(CrailPath.parse("/g" + i), false)));
            if (i % 50 == 25) {
                transport.breakConnections();
            }
        }
        for (CompletableFuture<?> call : calls) {
            call.get();
        }
        assertThat(cluster.checkBlocks().allocated()).isZero();
    }

    @Test
    void shouldHoldBackCallsBeyondTheWindowAndFinishThem() throws Exception {
        List<CompletableFuture<PingResponse>> pings = new ArrayList<>();
        for (int i = 0; i < 3 * HelloRequest.WINDOW_SIZE; i++) {
            pings.add(connection.call(new PingRequest(i)));
        }
        for (int i = 0; i < pings.size(); i++) {
            assertThat(pings.get(i).get().number()).isEqualTo(i + 1);
        }
    }

    @Test
    void shouldRefuseAnotherCluster() {
        try (NamenodeConnection other = connect("another", cluster.namenodeAddress(), 5_000)) {
            assertThatThrownBy(() -> other.connect().get())
                    .hasCauseInstanceOf(ClusterMismatchException.class)
                    .hasMessageContaining("another");
            assertThatThrownBy(() -> other.call(new PingRequest(1)).get())
                    .hasCauseInstanceOf(ClusterMismatchException.class);
        }
    }

    @Test
    void shouldRefuseAnotherVersionOfTheProtocol() throws Exception {
        CompletableFuture<CrailException> refusal = new CompletableFuture<>();
        RpcChannel channel = transport
                .connect(cluster.namenodeAddress(), 1_000, new RpcChannel.Receiver() {
                    @Override
                    public void onMessage(ByteBuffer message) {
                        message.getLong();
                        refusal.complete(ResponseFrame.decodeError(message.getShort(), message));
                    }

                    @Override
                    public void onClosed(Throwable cause) {
                        refusal.cancel(false);
                    }
                })
                .get();

        channel.send(new RequestFrame(0, 0, new HelloRequest(HelloRequest.MAGIC, 99, "crail", 1, 2, 0)));

        assertThat(refusal.get())
                .isInstanceOf(ProtocolMismatchException.class)
                .hasMessageContaining("99")
                .hasMessageContaining("version " + HelloRequest.VERSION);
    }

    @Test
    void shouldSayThatNobodyListens() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("localhost", 1);
        try (NamenodeConnection other = connect("crail", nowhere, 2_000)) {
            assertThatThrownBy(() -> other.connect().get()).hasCauseInstanceOf(NamenodeUnreachableException.class);
            assertThatThrownBy(() -> other.call(new PingRequest(1)).get())
                    .hasCauseInstanceOf(NamenodeUnreachableException.class)
                    .hasMessageContaining("PING");
        }
    }

    @Test
    void shouldGoOnAfterTheNamenodeCameBack() throws Exception {
        connection.call(new PingRequest(1)).get();
        cluster.stopNamenode();
        CompletableFuture<PingResponse> call = connection.call(new PingRequest(7));

        cluster.startNamenode();

        assertThat(call.get().number()).isEqualTo(8);
    }

    @Test
    void shouldFailWhatIsPendingWhenItIsClosed() throws Exception {
        cluster.stopNamenode();
        CompletableFuture<PingResponse> call = connection.call(new PingRequest(7));

        connection.close();

        assertThatThrownBy(call::get).hasCauseInstanceOf(ClosedException.class);
        assertFails(new PingRequest(1), ClosedException.class);
    }

    private NamenodeConnection connect(String clusterId, InetSocketAddress address, long timeoutMs) {
        return new NamenodeConnection(transport, () -> address, clusterId, timeoutMs, timeoutMs);
    }

    private void assertFails(Request<?> request, Class<? extends Throwable> cause) {
        assertThatThrownBy(() -> connection.call(request).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(cause);
    }

    private static CreateRequest create(String path) throws Exception {
        return new CreateRequest(CrailPath.parse(path), CrailNodeType.DATAFILE, -1, -1, false);
    }
}
