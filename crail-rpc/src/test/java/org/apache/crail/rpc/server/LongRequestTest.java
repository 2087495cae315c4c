/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What takes long keeps neither its connection nor the thread that serves it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LongRequestTest {
    private static final HelloResponse HELLO = new HelloResponse("c", 1, 4096, 0, 1, 1000);
    private static final CheckResponse CHECKED = new CheckResponse(1, 0, 0, 0, 0, 0, List.of());

    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final BlockingQueue<ResponseFrame> answers = new LinkedBlockingQueue<>();
    private final MetadataAcceptor acceptor = new MetadataAcceptor(service());
    private RpcChannel.Receiver connection;
    private long requests;

    @BeforeEach
    void connect() throws Exception {
        connection = acceptor.accept(new RecordingChannel());
        send(new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "c", 1, 2, 0));
        assertThat(answers.take().requestId()).isEqualTo(1);
    }

    private MetadataService service() {
        return (MetadataService) Proxy.newProxyInstance(
                LongRequestTest.class.getClassLoader(),
                new Class<?>[] {MetadataService.class},
                (proxy, method, args) -> {
                    if (!method.getName().equals("check")) {
                        return HELLO;
                    }
                    mayEnd.await();
                    return CHECKED;
                });
    }

    private void send(Request<?> request) {
        requests++;
        RequestFrame frame = new RequestFrame(requests, 1, request);
        ByteBuffer bytes = ByteBuffer.allocate(frame.encodedLength());
        frame.encode(bytes);
        connection.onMessage(bytes.flip());
    }

    @Test
    void shouldAnswerOthersWhileACheckTakesLong() throws Exception {
        send(new CheckRequest());
        send(new PingRequest(1));
        ResponseFrame answer = answers.take();
        assertThat(answer.requestId()).isEqualTo(3);
        mayEnd.countDown();
        assertThat(answers.take().requestId()).isEqualTo(2);
    }

    @Test
    void shouldRefuseASecondCheckUntilTheFirstIsAnswered() throws Exception {
        send(new CheckRequest());
        send(new CheckRequest());
        ResponseFrame refusal = answers.take();
        assertThat(refusal.requestId()).isEqualTo(3);
        assertThat(refusal.status()).isEqualTo(ErrorCode.NAMENODE_BUSY.number());

        mayEnd.countDown();
        assertThat(answers.take().requestId()).isEqualTo(2);
        for (int i = 0; i < 100; i++) {
            send(new CheckRequest());
            assertThat(answers.take().status()).isEqualTo(ResponseFrame.OK);
        }
    }

    /** Keeps what is sent. */
    private final class RecordingChannel implements RpcChannel {
        @Override
        public void send(Encodable message) {
            answers.add((ResponseFrame) message);
        }

        @Override
        public String peer() {
            return "test";
        }

        @Override
        public void close() {}
    }
}
