/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server's connection to clients that send a part of a message. */
class BegunMessageTest {
    private static final byte[] PART = {0, 0, 0, 3, 1, 2};
    private static final byte[] REST_AND_PART = {3, 0, 0, 0, 1};
    private static final byte[] REST = {4};

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final TcpRpcChannel connection = new TcpRpcChannel(channel, true);
    private final RecordingReceiver receiver = new RecordingReceiver();

    @BeforeEach
    void open() {
        connection.receiver(receiver);
        channel.pipeline().addLast(connection);
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void receive(byte[] bytes) {
        ByteBuf buffer = connection.receiveBuffer(channel.alloc());
        channel.writeInbound(buffer.writeBytes(bytes));
    }

    private void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void shouldEndAClientThatDoesNotSendTheRest() {
        receive(PART);
        pass(TcpRpcChannel.BEGUN_LIMIT_S - 1);
        assertThat(channel.isOpen()).isTrue();

        pass(1);

        assertThat(channel.isOpen()).isFalse();
        assertThat(receiver.awaitClosed()).as("ended with a cause").isTrue();
    }

    @Test
    void shouldKeepAClientThatSendsMessageAfterMessage() throws Exception {
        receive(PART);
        pass(TcpRpcChannel.BEGUN_LIMIT_S - 1);
        receive(REST_AND_PART);
        assertThat(receiver.next()).containsExactly(1, 2, 3);
        pass(TcpRpcChannel.BEGUN_LIMIT_S - 1);
        receive(REST);
        assertThat(receiver.next()).containsExactly(4);

        pass(10 * TcpRpcChannel.BEGUN_LIMIT_S);

        assertThat(channel.isOpen()).isTrue();
    }
}
