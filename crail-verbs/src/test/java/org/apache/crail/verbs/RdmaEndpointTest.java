/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** DiSNI's own endpoints over the library, on a device: with threads for events of connections and of completions. */
@Tag("rdma")
@SuppressWarnings({"JdkObsolete", "NonApiType"}) // DiSNI takes linked lists
final class RdmaEndpointTest {
    private static final int TIMEOUT_MS = 1000;

    private RdmaActiveEndpointGroup<Endpoint> serverGroup;
    private RdmaActiveEndpointGroup<Endpoint> clientGroup;
    private RdmaServerEndpoint<Endpoint> listener;
    private InetSocketAddress address;

    /** Keeps completions for the test. */
    private static final class Endpoint extends RdmaActiveEndpoint {
        private final BlockingQueue<IbvWC> completions = new LinkedBlockingQueue<>();
        private final ByteBuffer memory = Natives.memory(4096);
        private IbvMr region;

        Endpoint(RdmaActiveEndpointGroup<Endpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }

        @Override
        protected synchronized void init() throws IOException {
            region = registerMemory(memory).execute().free().getMr();
            IbvRecvWR receive = new IbvRecvWR();
            receive.setWr_id(1);
            receive.setSg_list(elements());
            postRecv(List.of(receive)).execute().free();
        }

        private LinkedList<IbvSge> elements() {
            IbvSge element = new IbvSge();
            element.setAddr(region.getAddr());
            element.setLength(64);
            element.setLkey(region.getLkey());
            return new LinkedList<>(List.of(element));
        }

        void send() throws IOException {
            IbvSendWR send = new IbvSendWR();
            send.setWr_id(2);
            send.setOpcode(IbvSendWR.IBV_WR_SEND);
            send.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            send.setSg_list(elements());
            postSend(List.of(send)).execute().free();
        }

        @Override
        public void dispatchCqEvent(IbvWC completion) {
            completions.add(completion.clone());
        }

        IbvWC completion() throws InterruptedException {
            return completions.poll(Peer.PATIENCE_MS, TimeUnit.MILLISECONDS);
        }

        void closeAll() throws IOException, InterruptedException {
            close();
            if (region != null) {
                deregisterMemory(region);
            }
        }
    }

    private static RdmaActiveEndpointGroup<Endpoint> group() throws IOException {
        RdmaActiveEndpointGroup<Endpoint> group = new RdmaActiveEndpointGroup<>(TIMEOUT_MS, false, 8, 4, 16);
        group.init((id, serverSide) -> new Endpoint(group, id, serverSide));
        return group;
    }

    @BeforeEach
    void listen() throws Exception {
        Natives.assumeBuilt();
        serverGroup = group();
        clientGroup = group();
        listener = serverGroup.createServerEndpoint();
        listener.bind(new InetSocketAddress(Natives.deviceAddress(), 0), 10);
        address = (InetSocketAddress) listener.getSrcAddr();
    }

    @AfterEach
    void close() throws Exception {
        listener.close();
        closeAll(clientGroup);
        closeAll(serverGroup);
    }

    private static void closeAll(RdmaEndpointGroup<?> group) throws IOException, InterruptedException {
        group.close();
    }

    @Test
    void shouldExchangeMessagesInManyConnectionsOneAfterTheOther() throws Exception {
        for (int round = 0; round < 5; round++) {
            CompletableFuture<Endpoint> accepted = accept();
            Endpoint client = clientGroup.createEndpoint();
            client.connect(address, TIMEOUT_MS);
            Endpoint server = accepted.get(Peer.PATIENCE_MS, TimeUnit.MILLISECONDS);
            assertThat(client.isConnected()).isTrue();
            client.memory.putLong(0, round);
            client.send();
            assertThat(client.completion())
                    .extracting(IbvWC::getStatus, IbvWC::getWr_id)
                    .containsExactly(0, 2L);
            assertThat(server.completion())
                    .extracting(IbvWC::getStatus, IbvWC::getWr_id)
                    .containsExactly(0, 1L);
            assertThat(server.memory.getLong(0)).isEqualTo(round);
            client.closeAll();
            server.closeAll();
        }
    }

    private CompletableFuture<Endpoint> accept() {
        CompletableFuture<Endpoint> accepted = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        accepted.complete(listener.accept());
                    } catch (IOException e) {
                        accepted.completeExceptionally(e);
                    }
                },
                "accepts");
        thread.setDaemon(true);
        thread.start();
        return accepted;
    }

    /** P3: DiSNI's endpoint would wait for ever. */
    @Test
    void shouldReturnFromAConnectToAPortWhereNothingListens() throws Exception {
        Endpoint client = clientGroup.createEndpoint();
        client.connect(new InetSocketAddress(address.getAddress(), 1), TIMEOUT_MS);
        assertThat(client.isConnected()).isFalse();
        assertThatThrownBy(client::send).isInstanceOf(IOException.class).hasMessageContaining("nothing listens there");
        client.closeAll();
    }

    @Test
    void shouldReturnFromAConnectThatNobodyAccepts() throws Exception {
        Endpoint client = clientGroup.createEndpoint();
        client.connect(address, TIMEOUT_MS);
        assertThat(client.isConnected()).isFalse();
        assertThatThrownBy(client::send).isInstanceOf(IOException.class).hasMessageContaining("no answer within");

        // Too late: the server is told as well. (DiSNI's group cannot be closed with an endpoint that was not
        // accepted.)
        Endpoint server = accept().get(2L * Peer.PATIENCE_MS, TimeUnit.MILLISECONDS);
        assertThat(server.isConnected()).isFalse();
        server.closeAll();
        client.closeAll();
    }
}
