/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.Test;

/** Connections of clients that say nothing. */
class ConnectionWatchTest {
    private static final HelloResponse HELLO = new HelloResponse("c", 1, 4096, 0, 1, 1000);
    private static final long NEVER_MS = TimeUnit.HOURS.toMillis(1);

    private final FakeChannel channel = new FakeChannel();

    @Test
    void shouldCloseAConnectionThatOpensNoSession() throws Exception {
        channel.connect(new MetadataAcceptor(service(), 5, NEVER_MS));

        assertThat(channel.closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldCloseAConnectionOnWhichNothingComesAnyMore() throws Exception {
        MetadataAcceptor acceptor = new MetadataAcceptor(service(), 200, 5);
        channel.connect(acceptor);
        channel.send(new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "c", 1, 2, 0));
        channel.send(new PingRequest(1));
        assertThat(acceptor.sessions()).isEqualTo(1);

        assertThat(channel.closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldKeepAConnectionOnWhichSomethingCame() {
        ConnectionWatch watch = new ConnectionWatch(channel, () -> true, NEVER_MS, NEVER_MS);
        watch.heard();

        watch.closeIfIdle();
        assertThat(channel.closed.getCount()).isEqualTo(1);

        watch.closeIfIdle();
        assertThat(channel.closed.getCount()).isZero();
        watch.end();
    }

    private static MetadataService service() {
        return (MetadataService) Proxy.newProxyInstance(
                ConnectionWatchTest.class.getClassLoader(),
                new Class<?>[] {MetadataService.class},
                (proxy, method, args) -> HELLO);
    }

    /** A client's end; what is sent to it is dropped. */
    private static final class FakeChannel implements RpcChannel {
        final CountDownLatch closed = new CountDownLatch(1);
        private RpcChannel.Receiver receiver;
        private long requests;

        void connect(MetadataAcceptor acceptor) {
            receiver = acceptor.accept(this);
        }

        void send(Request<?> request) {
            RequestFrame frame = new RequestFrame(requests, requests, request);
            ByteBuffer bytes = ByteBuffer.allocate(frame.encodedLength());
            frame.encode(bytes);
            requests++;
            receiver.onMessage(bytes.flip());
        }

        @Override
        public void send(Encodable message) {}

        @Override
        public String peer() {
            return "test";
        }

        @Override
        public void close() {
            if (closed.getCount() > 0) {
                closed.countDown();
                if (receiver != null) {
                    receiver.onClosed(null);
                }
            }
        }
    }
}
