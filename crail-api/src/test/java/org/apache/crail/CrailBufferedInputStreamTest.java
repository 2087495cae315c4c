/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.crail.FakeTransfers.Mode;
import org.apache.crail.FakeTransfers.Transfer;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrailBufferedInputStreamTest {
    private static final int SLICE = 16;
    private static final int LENGTH = 1000;

    private final FakeStore store = new FakeStore(2 * SLICE, SLICE);
    private final byte[] bytes = bytes(LENGTH);
    private final FakeFile file = store.file("/f", bytes);

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

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
    void shouldReadEveryByteInOrder(Mode mode) throws Exception {
        store.transfers.mode(mode);
        try (CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH)) {
            assertThat(in.readNBytes(7)).isEqualTo(Arrays.copyOf(bytes, 7));
            ByteBuffer target = ByteBuffer.allocate(300);
            assertThat(in.read(target)).isEqualTo(300);
            assertThat(target.array()).isEqualTo(Arrays.copyOfRange(bytes, 7, 307));
            assertThat(in.read()).isEqualTo(bytes[307] & 0xff);
            byte[] rest = new byte[LENGTH];
            assertThat(in.read(rest)).isEqualTo(LENGTH - 308);
            assertThat(Arrays.copyOf(rest, LENGTH - 308)).isEqualTo(Arrays.copyOfRange(bytes, 308, LENGTH));
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(rest)).isEqualTo(-1);
            assertThat(in.read(target.clear())).isEqualTo(-1);
            assertThat(in.position()).isEqualTo(LENGTH);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"AT_ONCE", "IN_ANOTHER_THREAD"})
    void shouldBehaveAsAByteArrayUnderRandomCalls(Mode mode) throws Exception {
        store.transfers.mode(mode);
        Random random = new Random(3);
        byte[] target = new byte[100];
        int position = 0;
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            for (int i = 0; i < 3000; i++) {
                int count = random.nextInt(target.length);
                int expected = Math.min(count, LENGTH - position);
                switch (random.nextInt(5)) {
                    case 0 -> {
                        position = random.nextInt(LENGTH + 1);
                        in.seek(position);
                    }
                    case 1 -> {
                        assertThat(in.skip(count)).isEqualTo(expected);
                        position += expected;
                    }
                    case 2 -> {
                        int at = random.nextInt(LENGTH);
                        assertThat(in.read(at, target, 0, 50)).isEqualTo(Math.min(50, LENGTH - at));
                        assertThat(target[0]).isEqualTo(bytes[at]);
                    }
                    case 3 -> assertThat(in.available()).isBetween(0, LENGTH - position);
                    default -> {
                        int read = in.read(target, 0, count);
                        assertThat(read).isEqualTo(count > 0 && expected == 0 ? -1 : expected);
                        assertThat(Arrays.copyOf(target, expected))
                                .isEqualTo(Arrays.copyOfRange(bytes, position, position + expected));
                        position += expected;
                    }
                }
                assertThat(in.position()).isEqualTo(position);
            }
        }
    }

    @Test
    void shouldReadSlicesAheadWhenHinted() throws Exception {
        store.transfers.mode(Mode.WHEN_TOLD);
        CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH);
        assertThat(in.available()).isZero();
        store.transfers.completeOne();
        assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
        assertThat(store.transfers.inFlight()).isEqualTo(3);
        assertThat(store.transfers.begun()).startsWith(new Transfer("/f", 0, SLICE), new Transfer("/f", SLICE, SLICE));
        store.transfers.completeAll();
        in.close();
    }

    @Test
    void shouldSayOfWhichFileItIsAndWhereInIt() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            in.seek(500);
            assertThat(in).hasToString("FileBufferedInputStream of /f at 500");
        }
    }

    @Test
    void shouldNotReadAheadForOneReadAfterASeek() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            in.seek(500);
            assertThat(in.readInt()).isEqualTo(ByteBuffer.wrap(bytes).getInt(500));
            assertThat(store.transfers.begun()).containsExactly(new Transfer("/f", 500, 12));
            assertThat(in.readLong()).isEqualTo(ByteBuffer.wrap(bytes).getLong(504));
            assertThat(in.readInt()).isEqualTo(ByteBuffer.wrap(bytes).getInt(512));
            assertThat(store.transfers.begun()).hasSizeGreaterThan(2).contains(new Transfer("/f", 528, SLICE));
        }
    }

    @Test
    void shouldBeginWithASmallReadUnlessMoreIsWantedOrHinted() throws Exception {
        FakeStore large = new FakeStore(1 << 20, 1 << 19);
        FakeFile big = large.file("/big", new byte[3 << 20]);
        try (CrailBufferedInputStream in = big.getBufferedInputStream(0)) {
            assertThat(in.read()).isZero();
            assertThat(large.transfers.begun()).containsExactly(new Transfer("/big", 0, 1 << 16));
            in.seek(1 << 20);
            assertThat(in.read(new byte[100_000])).isEqualTo(100_000);
            assertThat(large.transfers.begun()).last().isEqualTo(new Transfer("/big", 1 << 20, 100_000));
            assertThat(in.read()).isZero();
            assertThat(large.transfers.begun())
                    .contains(new Transfer("/big", (1 << 20) + 100_000, (1 << 19) - 100_000))
                    .contains(new Transfer("/big", 3 << 19, 1 << 19));
        }
        int before = large.transfers.begun().size();
        try (CrailBufferedInputStream in = big.getBufferedInputStream(200_000)) {
            assertThat(in.read()).isZero();
            assertThat(large.transfers.begun()).element(before).isEqualTo(new Transfer("/big", 0, 200_000));
            assertThat(large.transfers.begun()).hasSize(before + 1);
        }
        assertThat(large.buffers.buffersInUse()).isZero();
    }

    @Test
    void shouldReadPrimitivesAcrossSlices() throws Exception {
        ByteBuffer expected = ByteBuffer.wrap(bytes);
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            while (expected.remaining() > 26) {
                assertThat(in.readShort()).isEqualTo(expected.getShort());
                assertThat(in.readInt()).isEqualTo(expected.getInt());
                assertThat(in.readLong()).isEqualTo(expected.getLong());
                assertThat(in.readFloat()).isEqualTo(expected.getFloat());
                assertThat(in.readDouble()).isEqualTo(expected.getDouble());
            }
        }
    }

    @Test
    @DisplayName("D22: available counts all slices that have arrived")
    void shouldCountAllSlicesThatArrivedAsAvailable() throws Exception {
        store.transfers.mode(Mode.WHEN_TOLD);
        CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH);
        assertThat(in.available()).isZero();
        store.transfers.completeOne();
        assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
        assertThat(in.available()).isEqualTo(SLICE - 1);
        store.transfers.completeOne();
        assertThat(in.available()).isEqualTo(2 * SLICE - 1);
        store.transfers.completeAll();
        assertThat(in.available()).isEqualTo(4 * SLICE - 1);
        in.close();
    }

    /** More than an int counts. */
    @Test
    void shouldSkipBeyondTwoGibibytes() throws Exception {
        long large = 5L << 30;
        file.pretend(2 * large);
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            assertThat(in.skip(large)).isEqualTo(large);
            assertThat(in.position()).isEqualTo(large);
            assertThat(in.skip(2 * large)).isEqualTo(large);
            assertThat(in.skip(1)).isZero();
        }
    }

    @Test
    @DisplayName("D22: a caller that polls until enough is available does not spin for ever")
    void shouldSatisfyACallerThatPollsForMoreThanTheBuffersHold() throws Exception {
        store.transfers.mode(Mode.IN_ANOTHER_THREAD);
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            while (in.available() < LENGTH) {
                Thread.onSpinWait();
            }
            assertThat(in.readAllBytes()).isEqualTo(bytes);
            assertThat(in.available()).isZero();
        }
    }

    @Test
    void shouldLetTransfersGoOnWhileACallerPolls() throws Exception {
        store.transfers.mode(Mode.WHEN_WAITED_FOR);
        try (CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH)) {
            assertThat(in.available()).isZero();
            assertThat(in.available()).isPositive();
        }
    }

    @Test
    @DisplayName("D22: a polling caller learns of a failure by reading")
    void shouldCountAFailedReadAsAvailable() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            store.transfers.failNext(new DatanodeLostException("datanode h:1 is lost"));
            while (in.available() < 4) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(in::readInt)
                    .isInstanceOf(DatanodeLostException.class)
                    .hasMessageContaining("/f");
            assertThat(in.readInt()).isEqualTo(ByteBuffer.wrap(bytes).getInt(0));
        }
    }

    @Test
    @DisplayName("D24: a primitive that is cut off by the end gives EOFException")
    void shouldThrowEofWhenAPrimitiveIsCutOff() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            for (int left : new int[] {0, 1, 3}) {
                in.seek(LENGTH - left);
                assertThatThrownBy(in::readInt).isInstanceOf(EOFException.class);
            }
            in.seek(LENGTH - 7);
            assertThatThrownBy(in::readLong).isInstanceOf(EOFException.class);
            in.seek(LENGTH - 1);
            assertThatThrownBy(in::readShort).isInstanceOf(EOFException.class);
            assertThatThrownBy(in::readFloat).isInstanceOf(EOFException.class);
            assertThatThrownBy(in::readDouble).isInstanceOf(EOFException.class);
        }
    }

    @Test
    @DisplayName("D24: a seek behind the end is refused and moves nothing")
    void shouldRefuseToSeekBehindTheEnd() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            in.seek(10);
            assertThatThrownBy(() -> in.seek(LENGTH + 1)).isInstanceOf(PositionOutOfRangeException.class);
            assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(PositionOutOfRangeException.class);
            assertThat(in.position()).isEqualTo(10);
            assertThat(in.read()).isEqualTo(bytes[10] & 0xff);
            in.seek(LENGTH);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldNotMoveForReadsAtAPosition() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH)) {
            assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
            int transfers = store.transfers.begun().size();
            byte[] target = new byte[20];
            assertThat(in.read(990, target, 5, 15)).isEqualTo(10);
            assertThat(Arrays.copyOfRange(target, 5, 15)).isEqualTo(Arrays.copyOfRange(bytes, 990, 1000));
            assertThat(in.read(LENGTH, target, 0, 1)).isEqualTo(-1);
            assertThat(in.read(5, target, 0, 0)).isZero();
            assertThatThrownBy(() -> in.read(-1, target, 0, 1)).isInstanceOf(PositionOutOfRangeException.class);
            assertThatThrownBy(() -> in.read(LENGTH + 1, target, 0, 1)).isInstanceOf(PositionOutOfRangeException.class);
            assertThat(store.transfers.begun()).hasSize(transfers + 1);
            assertThat(in.position()).isEqualTo(1);
            assertThat(in.read()).isEqualTo(bytes[1] & 0xff);
        }
    }

    @Test
    void shouldGiveWhatItHasBeforeAFailureAndTryAgainAfterIt() throws Exception {
        byte[] target = new byte[LENGTH];
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
            store.transfers.failNext(new DatanodeLostException("datanode h:1 is lost"));
            assertThat(in.read(target)).isEqualTo(SLICE - 1);
            store.transfers.failNext(new DatanodeLostException("datanode h:1 is lost"));
            assertThatThrownBy(() -> in.read(target)).isInstanceOf(DatanodeLostException.class);
            assertThat(in.read(target)).isEqualTo(LENGTH - SLICE);
            assertThat(target[0]).isEqualTo(bytes[SLICE]);
        }
    }

    @Test
    void shouldGoOnAfterAnInterrupt() throws Exception {
        store.transfers.mode(Mode.WHEN_TOLD);
        CrailBufferedInputStream in = file.getBufferedInputStream(0);
        Thread.currentThread().interrupt();
        assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        store.transfers.completeAll();
        assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
        in.close();
    }

    @Test
    void shouldNotSupportMarks() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            assertThat(in.markSupported()).isFalse();
            assertThatThrownBy(in::reset).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldRefuseEverythingAfterClose() throws Exception {
        CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH);
        assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
        in.close();
        in.close();
        assertThatThrownBy(in::read).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> in.read(new byte[1])).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> in.read(0, new byte[1], 0, 1)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(in::readInt).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> in.seek(0)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> in.skip(1)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(in::available).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void shouldWaitForReadsInFlightWhenClosed() throws Exception {
        store.transfers.mode(Mode.IN_ANOTHER_THREAD);
        for (int i = 0; i < 100; i++) {
            CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH);
            assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
            in.close();
            assertThat(store.transfers.inFlight()).isZero();
        }
    }

    @Test
    void shouldCountWhetherCallersWaited() throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            assertThat(in.readAllBytes()).hasSize(LENGTH);
        }
        assertThat(store.transfers.begun()).hasSize(63);
        store.statistics.print("test");
    }

    @Test
    void shouldCopyWhatFillsASliceAndReadNothingAheadWhereBytesAreNear() throws Exception {
        store.transfers.near(LENGTH);
        byte[] target = new byte[LENGTH];
        try (CrailBufferedInputStream in = file.getBufferedInputStream(LENGTH)) {
            assertThat(in.read(target, 0, 40)).isEqualTo(40);
            assertThat(in.read(target, 40, SLICE - 1)).isEqualTo(SLICE - 1);
            assertThat(in.position()).isEqualTo(39 + SLICE);
            assertThat(in.read(ByteBuffer.wrap(target, 39 + SLICE, 30))).isEqualTo(30);
            assertThat(in.read(target, 85, LENGTH - 85)).isEqualTo(LENGTH - 85);
            assertThat(in.read(target)).isEqualTo(-1);
        }
        assertThat(target).isEqualTo(bytes);
        assertThat(store.transfers.begun()).containsExactly(new Transfer("/f", 40, 8), new Transfer("/f", 48, SLICE));
        assertThat(store.transfers.copies())
                .containsExactly(
                        new Transfer("/f", 0, 40), new Transfer("/f", 64, 21), new Transfer("/f", 85, LENGTH - 85));
    }

    @Test
    void shouldReadIntoSlicesWhatCannotBeCopied() throws Exception {
        store.transfers.near(100);
        byte[] target = new byte[LENGTH];
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            assertThat(in.read(target)).isEqualTo(LENGTH);
            in.seek(10);
            assertThat(in.read(target, 10, 50)).isEqualTo(50);
        }
        assertThat(target).isEqualTo(bytes);
        assertThat(store.transfers.copies()).containsExactly(new Transfer("/f", 0, 100), new Transfer("/f", 10, 50));
    }
}
