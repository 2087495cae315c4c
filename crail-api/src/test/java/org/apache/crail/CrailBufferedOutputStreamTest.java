/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.crail.FakeTransfers.Mode;
import org.apache.crail.FakeTransfers.Transfer;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.NoFreeBlocksException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrailBufferedOutputStreamTest {
    private static final int SLICE = 16;

    private final FakeStore store = new FakeStore(2 * SLICE, SLICE);
    private final FakeFile file = store.file("/f");

    @AfterEach
    void giveEverythingBack() {
        store.stop();
        assertThat(store.buffers.buffersInUse()).as("buffers in use").isZero();
        assertThat(file.openStreams).as("open streams").isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"AT_ONCE", "IN_ANOTHER_THREAD"})
    void shouldWriteEveryByteInOrder(Mode mode) throws Exception {
        store.transfers.mode(mode);
        byte[] bytes = new byte[1000];
        new Random(1).nextBytes(bytes);
        ByteBuffer expected = ByteBuffer.allocate(bytes.length + 100);
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(bytes);
            out.write(7);
            out.writeShort((short) 0x1234);
            out.writeInt(0x12345678);
            out.writeLong(0x123456789abcdef0L);
            out.writeFloat(1.5f);
            out.writeDouble(-2.5);
            out.write(ByteBuffer.wrap("abc".getBytes(UTF_8)));
            assertThat(out.position()).isEqualTo(bytes.length + 1 + 2 + 4 + 8 + 4 + 8 + 3);
        }
        expected.put(bytes)
                .put((byte) 7)
                .putShort((short) 0x1234)
                .putInt(0x12345678)
                .putLong(0x123456789abcdef0L)
                .putFloat(1.5f)
                .putDouble(-2.5)
                .put("abc".getBytes(UTF_8))
                .flip();
        assertThat(ByteBuffer.wrap(file.content())).isEqualTo(expected);
        assertThat(file.getCapacity()).isEqualTo(file.content().length);
    }

    @Test
    void shouldEndTransfersAtMultiplesOfTheSliceSizeInTheFile() throws Exception {
        file.append(new byte[10]);
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(new byte[40]);
            assertThat(out.position()).isEqualTo(40);
        }
        assertThat(store.transfers.begun())
                .containsExactly(
                        new Transfer("/f", 10, 6),
                        new Transfer("/f", 16, 16),
                        new Transfer("/f", 32, 16),
                        new Transfer("/f", 48, 2));
    }

    @Test
    void shouldKeepSeveralSlicesInFlightWithoutWaiting() throws Exception {
        store.transfers.mode(Mode.WHEN_TOLD);
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        out.write(new byte[4 * SLICE]);
        assertThat(store.transfers.inFlight()).isEqualTo(4);
        store.transfers.mode(Mode.IN_ANOTHER_THREAD);
        store.transfers.completeAll();
        out.close();
    }

    @Test
    @DisplayName("D23: one may go on writing after purge")
    void shouldGoOnWritingAfterPurge() throws Exception {
        store.transfers.mode(Mode.WHEN_TOLD);
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        out.write("ab".getBytes(UTF_8));
        Future<CrailResult> purged = out.purge();
        out.write("cd".getBytes(UTF_8));
        assertThat(purged.isDone()).isFalse();
        store.transfers.completeOne();
        assertThat(purged.isDone()).isTrue();
        assertThat(purged.get().getLen()).isEqualTo(2);
        assertThat(file.content()).asString(UTF_8).isEqualTo("ab");
        store.transfers.mode(Mode.AT_ONCE);
        out.close();
        assertThat(file.content()).asString(UTF_8).isEqualTo("abcd");
    }

    @Test
    @DisplayName("D23: flush pushes what was written")
    void shouldPushOnFlush() throws Exception {
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write("ab".getBytes(UTF_8));
            assertThat(file.content()).isEmpty();
            out.flush();
            assertThat(file.content()).asString(UTF_8).isEqualTo("ab");
            out.flush();
            out.write('c');
        }
        assertThat(file.content()).asString(UTF_8).isEqualTo("abc");
        assertThat(store.transfers.begun()).hasSize(2);
    }

    @Test
    void shouldMakeEverythingVisibleOnSync() throws Exception {
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(new byte[SLICE + 3]);
            assertThat(out.sync().get()).isNull();
            assertThat(file.getCapacity()).isEqualTo(SLICE + 3);
            assertThat(out.position()).isEqualTo(SLICE + 3);
        }
    }

    @Test
    void shouldThrowAFailureOnceMoreOnEveryLaterCall() throws Exception {
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        store.transfers.failNext(new NoFreeBlocksException("no free blocks"));
        out.write(new byte[SLICE]);
        assertThatThrownBy(() -> out.write(new byte[SLICE]))
                .isInstanceOf(NoFreeBlocksException.class)
                .hasMessageContaining("/f");
        for (ThrowingCallable later : List.<ThrowingCallable>of(out::flush, out::sync, out::close)) {
            assertThatThrownBy(later)
                    .isInstanceOf(NoFreeBlocksException.class)
                    .hasMessage("writing /f failed: no free blocks");
        }
    }

    @Test
    void shouldSayOfWhichFileItIsAndWhereInIt() throws Exception {
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(new byte[SLICE + 3]);
            assertThat(out).hasToString("CrailBufferedOutputStream of /f at " + (SLICE + 3));
        }
    }

    @Test
    void shouldTellAFailureInTryWithResources() {
        assertThatThrownBy(() -> {
                    try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
                        store.transfers.failNext(new NoFreeBlocksException("no free blocks"));
                        out.write(new byte[10 * SLICE]);
                    }
                })
                .isInstanceOf(NoFreeBlocksException.class)
                .hasMessage("writing /f failed: no free blocks")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("writing /f failed before"));
    }

    @Test
    void shouldTellAFailureOnCloseAtTheLatest() throws Exception {
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        store.transfers.failNext(new IOException("broken"));
        out.write(1);
        assertThatThrownBy(out::close)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/f failed: ")
                .hasMessageContaining("broken");
    }

    @Test
    void shouldFailAPurgeWhoseWriteFails() throws Exception {
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        store.transfers.failNext(new NoFreeBlocksException("no free blocks"));
        out.write(1);
        Future<CrailResult> purged = out.purge();
        assertThatThrownBy(purged::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(out::close).isInstanceOf(NoFreeBlocksException.class);
    }

    @Test
    void shouldRefuseToWriteAfterClose() throws Exception {
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        out.close();
        out.close();
        out.flush();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> out.write(new byte[1])).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> out.writeInt(1)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(out::purge).isInstanceOf(ClosedException.class);
        assertThatThrownBy(out::sync).isInstanceOf(ClosedException.class);
    }

    @Test
    void shouldNotReuseBuffersInFlightWhenInterruptedInClose() throws Exception {
        store.transfers.mode(Mode.IN_ANOTHER_THREAD);
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        out.write("interrupted".getBytes(UTF_8));
        Thread.currentThread().interrupt();
        out.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(file.content()).asString(UTF_8).isEqualTo("interrupted");
    }

    @Test
    void shouldCopyWhatFillsASliceBehindWhatWasCollected() throws Exception {
        store.transfers.near(Integer.MAX_VALUE);
        byte[] bytes = new byte[100];
        new Random(1).nextBytes(bytes);
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(bytes, 0, 5);
            out.write(bytes, 5, 40);
            out.write(ByteBuffer.wrap(bytes, 45, SLICE));
            out.write(bytes, 45 + SLICE, SLICE - 1);
            assertThat(out.position()).isEqualTo(44 + 2 * SLICE);
            out.write(bytes, 44 + 2 * SLICE, 56 - 2 * SLICE);
        }
        assertThat(store.transfers.copies())
                .containsExactly(
                        new Transfer("/f", 5, 40),
                        new Transfer("/f", 45, SLICE),
                        new Transfer("/f", 44 + 2 * SLICE, 24));
        assertThat(store.transfers.begun())
                .containsExactly(
                        new Transfer("/f", 0, 5), new Transfer("/f", 45 + SLICE, 3), new Transfer("/f", 64, 12));
        assertThat(file.content()).isEqualTo(bytes);
    }

    @Test
    void shouldCollectWhatCannotBeCopied() throws Exception {
        store.transfers.near(20);
        byte[] bytes = new byte[100];
        new Random(1).nextBytes(bytes);
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(bytes);
        }
        assertThat(store.transfers.copies()).containsExactly(new Transfer("/f", 0, 20));
        assertThat(store.transfers.begun()).startsWith(new Transfer("/f", 20, 12), new Transfer("/f", 32, SLICE));
        assertThat(file.content()).isEqualTo(bytes);
    }

    @Test
    void shouldThrowAFailureToCopyOnceMoreOnEveryLaterCall() throws Exception {
        store.transfers.near(Integer.MAX_VALUE);
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        store.transfers.failNextCopy(new NoFreeBlocksException("no free blocks"));
        assertThatThrownBy(() -> out.write(new byte[SLICE])).isInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(out::close).isInstanceOf(NoFreeBlocksException.class);
    }
}
