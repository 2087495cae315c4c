/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ProtocolMismatchException;
import org.junit.jupiter.api.Test;

class ByteRingTest {
    private static final int LONGEST = 3_000;
    private static final long TOTAL = 200L * ByteRing.CAPACITY_BYTES;
    private static final int WAKE_UPS = 200_000;
    private static final int LIMIT_S = 20;

    private final ByteRing ring =
            new ByteRing(ByteBuffer.allocateDirect(ByteRing.TOTAL_BYTES + 128).alignedSlice(128));
    private final RingWriter writer = new RingWriter(ring);
    private final RingReader reader = new RingReader(ring);
    private volatile boolean stopped;

    private static ByteBuffer bytes(int length) {
        return ByteBuffer.allocate(length);
    }

    private int write(ByteBuffer from) throws ProtocolMismatchException {
        return RingBytes.write(writer, from);
    }

    private boolean read(ByteBuffer into) throws ProtocolMismatchException {
        return RingBytes.read(reader, into);
    }

    /** What one of two threads does. */
    private interface Work {
        void run() throws Exception;
    }

    /** Runs both to the end, or until either fails. */
    private void runTogether(Work writing, Work reading) {
        try {
            CompletableFuture.allOf(start(writing), start(reading))
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        } finally {
            stopped = true;
        }
    }

    private CompletableFuture<Void> start(Work work) {
        return CompletableFuture.runAsync(() -> runOrStop(work), task -> new Thread(task, "ring").start());
    }

    private void runOrStop(Work work) {
        boolean hasSucceeded = false;
        try {
            work.run();
            hasSucceeded = true;
        } catch (Exception e) {
            throw new CompletionException(e);
        } finally {
            if (!hasSucceeded) {
                stopped = true;
            }
        }
    }

    @Test
    void shouldCarryBytesBetweenThreadsInOrder() {
        runTogether(this::writeAll, this::readAll);
    }

    private void writeAll() throws Exception {
        Random random = new Random(1);
        ByteBuffer chunk = bytes(LONGEST);
        for (long sent = 0; sent < TOTAL && !stopped; ) {
            chunk.clear();
            int length = 1 + random.nextInt(LONGEST);
            for (int i = 0; i < length; i++) {
                chunk.put((byte) byteAt(sent + i));
            }
            chunk.flip();
            while (chunk.hasRemaining() && !stopped) {
                int written = write(chunk);
                sent += written;
                boolean ignored = written > 0 && writer.publish();
                if (written == 0) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private void readAll() throws Exception {
        Random random = new Random(2);
        ByteBuffer chunk = bytes(LONGEST);
        for (long received = 0; received < TOTAL && !stopped; ) {
            chunk.clear().limit(1 + random.nextInt(LONGEST));
            boolean ignored = read(chunk);
            if (!chunk.flip().hasRemaining()) {
                Thread.onSpinWait();
            }
            while (chunk.hasRemaining()) {
                byte next = chunk.get();
                if (next != (byte) byteAt(received)) {
                    throw new AssertionError("byte " + received + " is " + next);
                }
                received++;
            }
        }
    }

    private static int byteAt(long position) {
        return (int) (position * 31 + position / ByteRing.CAPACITY_BYTES);
    }

    /** Each byte comes as soon as the one before has been read, which is when the reader falls asleep. */
    @Test
    void shouldLoseNoWakeUp() {
        Semaphore wakeUps = new Semaphore(0);
        runTogether(() -> writeOneByOne(wakeUps), () -> readOneByOne(wakeUps));
    }

    private void writeOneByOne(Semaphore wakeUps) {
        for (long position = 1; position <= WAKE_UPS && !stopped; position++) {
            if (ring.publish(position)) {
                wakeUps.release();
            }
            while (ring.read() != position && !stopped) {
                Thread.onSpinWait();
            }
        }
    }

    private void readOneByOne(Semaphore wakeUps) throws Exception {
        ByteBuffer into = bytes(1);
        for (int count = 0; count < WAKE_UPS && !stopped; ) {
            if (reader.hasBytes()) {
                boolean ignored = read(into.clear());
                count++;
            } else if (reader.fallAsleep()) {
                if (!wakeUps.tryAcquire(LIMIT_S, TimeUnit.SECONDS)) {
                    throw new AssertionError("asleep beside byte " + count);
                }
                reader.wake();
            }
        }
    }

    @Test
    void shouldShowNothingBeforeItIsPublished() throws Exception {
        write(bytes(5));
        assertThat(reader.hasBytes()).isFalse();
        writer.publish();
        assertThat(reader.hasBytes()).isTrue();
    }

    @Test
    void shouldTakeAsMuchAsThereIsRoomFor() throws Exception {
        ByteBuffer more = bytes(ByteRing.CAPACITY_BYTES + 10);
        assertThat(write(more)).isEqualTo(ByteRing.CAPACITY_BYTES);
        assertThat(write(more)).isZero();
        assertThat(writer.hasRoom()).isFalse();
        writer.publish();
        read(bytes(7));
        assertThat(writer.hasRoom()).isTrue();
        assertThat(write(more)).isEqualTo(7);
    }

    @Test
    void shouldSayOnceThatASleepingReaderIsToBeWoken() throws Exception {
        assertThat(writer.publish()).as("awake").isFalse();
        assertThat(reader.fallAsleep()).isTrue();
        write(bytes(1));
        assertThat(writer.publish()).as("asleep").isTrue();
        write(bytes(1));
        assertThat(writer.publish()).as("has been woken").isFalse();
    }

    @Test
    void shouldNotSleepBesideBytes() throws Exception {
        write(bytes(1));
        writer.publish();
        assertThat(reader.fallAsleep()).isFalse();
        write(bytes(1));
        assertThat(writer.publish()).isFalse();
    }

    @Test
    void shouldNotWakeWhoHasWokenUp() throws Exception {
        reader.fallAsleep();
        reader.wake();
        write(bytes(1));
        assertThat(writer.publish()).isFalse();
    }

    @Test
    void shouldSayOnceThatAWriterWaitsForRoom() throws Exception {
        ByteBuffer more = bytes(ByteRing.CAPACITY_BYTES + 2);
        write(more);
        writer.publish();
        assertThat(writer.awaitRoom()).isFalse();
        assertThat(read(bytes(1))).isTrue();
        assertThat(read(bytes(1))).isFalse();
        assertThat(writer.awaitRoom()).as("there is some").isTrue();
    }

    @Test
    void shouldRefusePositionsThatCannotBe() throws Exception {
        ring.publish(ByteRing.CAPACITY_BYTES + 1L);
        assertThatThrownBy(() -> read(bytes(9)))
                .isInstanceOf(ProtocolMismatchException.class)
                .hasMessageContaining("65537 bytes were written");
        ring.publish(-1);
        assertThatThrownBy(() -> read(bytes(9))).isInstanceOf(ProtocolMismatchException.class);
        ring.free(1);
        assertThatThrownBy(() -> write(bytes(ByteRing.CAPACITY_BYTES + 1)))
                .isInstanceOf(ProtocolMismatchException.class)
                .hasMessageContaining("1 bytes were read, after 0 of 0");
    }

    @Test
    void shouldRefuseAReaderThatGoesBack() throws Exception {
        ByteBuffer more = bytes(ByteRing.CAPACITY_BYTES + 8);
        write(more);
        writer.publish();
        read(bytes(7));
        assertThat(write(more)).isEqualTo(7);
        ring.free(6);
        assertThatThrownBy(() -> write(more))
                .isInstanceOf(ProtocolMismatchException.class)
                .hasMessageContaining("6 bytes were read, after 7 of 65543");
    }
}
