/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.netty.BufferSizes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server's connection to clients that send a part of a message. */
class BegunMessageTest {
    private static final byte[] PART = {0, 0, 0, 3, 1, 2};
    private static final byte[] WHOLE = {0, 0, 0, 1, 1};
    private static final byte[] REST_AND_PART = {3, 0, 0, 0, 1};
    private static final byte[] REST = {4};

    /** For three connections. */
    private static final long LIMIT_BYTES = 3L * BufferSizes.LARGEST_REUSED;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final BegunMessages begun = new BegunMessages(LIMIT_BYTES);
    private final TcpServerChannel connection = new TcpServerChannel(channel, begun);
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
        receive(channel, connection, bytes);
    }

    private static void receive(EmbeddedChannel channel, TcpServerChannel connection, byte[] bytes) {
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
        pass(TcpServerChannel.BEGUN_LIMIT_S - 1);
        assertThat(channel.isOpen()).isTrue();

        pass(1);

        assertThat(channel.isOpen()).isFalse();
        assertThat(receiver.awaitClosed()).as("ended with a cause").isTrue();
    }

    @Test
    void shouldKeepAClientThatSendsMessageAfterMessage() throws Exception {
        receive(PART);
        pass(TcpServerChannel.BEGUN_LIMIT_S - 1);
        receive(REST_AND_PART);
        assertThat(receiver.next()).containsExactly(1, 2, 3);
        pass(TcpServerChannel.BEGUN_LIMIT_S - 1);
        receive(REST);
        assertThat(receiver.next()).containsExactly(4);

        pass(10 * TcpServerChannel.BEGUN_LIMIT_S);

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldEndWhoHasBegunFirstWhenAllHoldTooMuch() throws Exception {
        receive(PART);
        List<EmbeddedChannel> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(another(i == 1 ? WHOLE : PART));
            channel.runPendingTasks();
            others.forEach(EmbeddedChannel::runPendingTasks);
            assertThat(begun.totalBytes()).isBetween(1L, LIMIT_BYTES);
        }
        assertThat(channel.isOpen()).as("the first").isFalse();
        assertThat(receiver.awaitClosed()).as("ended with a cause").isTrue();
        assertThat(others).extracting(EmbeddedChannel::isOpen).containsExactly(false, true, true, true, true);

        others.forEach(EmbeddedChannel::finishAndReleaseAll);
        assertThat(begun.totalBytes()).isZero();
    }

    /** Another client, which has sent this. */
    private EmbeddedChannel another(byte[] bytes) {
        EmbeddedChannel other = new EmbeddedChannel();
        TcpServerChannel connected = new TcpServerChannel(other, begun);
        connected.receiver(new RecordingReceiver());
        other.pipeline().addLast(connected);
        receive(other, connected, bytes);
        return other;
    }

    private void letAnswersPileUp(boolean areUnread) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, !areUnread);
        channel.runPendingTasks();
    }

    @Test
    void shouldNeitherCountNorEndAClientFromWhichItHasStoppedToRead() {
        receive(PART);
        letAnswersPileUp(true);
        assertThat(begun.totalBytes()).as("what it holds").isZero();
        List<EmbeddedChannel> others = List.of(another(PART), another(PART), another(PART));
        others.forEach(EmbeddedChannel::runPendingTasks);
        pass(10 * TcpServerChannel.BEGUN_LIMIT_S);
        assertThat(channel.isOpen()).isTrue();
        assertThat(others).allMatch(EmbeddedChannel::isOpen);
        assertThat(begun.totalBytes()).isEqualTo(LIMIT_BYTES);

        letAnswersPileUp(false);
        others.forEach(EmbeddedChannel::runPendingTasks);
        assertThat(begun.totalBytes()).as("with what it holds").isEqualTo(LIMIT_BYTES);
        assertThat(others).extracting(EmbeddedChannel::isOpen).containsExactly(false, true, true);
        others.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    /** It may have been chosen just before. */
    @Test
    void shouldNotEndAClientThatIsChosenWhileItsAnswersPileUp() {
        receive(PART);
        connection.endBegun(LIMIT_BYTES); // by another thread: it is to happen next
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isTrue();
        assertThat(begun.totalBytes()).isZero();

        letAnswersPileUp(false);
        assertThat(begun.totalBytes()).as("counted again").isPositive();
    }

    @Test
    void shouldNotCountWhatIsComplete() {
        receive(WHOLE);
        assertThat(begun.totalBytes()).isZero();
        receive(PART);
        assertThat(begun.totalBytes()).isPositive();
        receive(new byte[] {3});
        assertThat(begun.totalBytes()).isZero();
    }
}
