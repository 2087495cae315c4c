/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.netty.RingBuffers;
import org.apache.crail.races.Strides;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The two ends of a ring, each in a thread. */
public final class RingRaces {
    private static final int OLD = 1;
    private static final int NEW = 2;

    /** More rings than are raced with at a time: making and clearing so much memory would take all the time. */
    private static final RingMemory MEMORY = new RingMemory(4 * Strides.STATES);

    private RingRaces() {}

    /** A ring and its ends. */
    @State
    public static class Ring {
        final RingWriter writer;
        final RingReader reader;
        final ByteBuf source =
                Unpooled.wrappedBuffer(new byte[ByteRing.CAPACITY_BYTES]).setByte(0, OLD);
        final ByteBuf target = Unpooled.buffer(1, 1);

        /** An empty ring. */
        public Ring() {
            ByteRing ring = new ByteRing(MEMORY.next());
            writer = new RingWriter(ring);
            reader = new RingReader(ring);
        }

        final void write(int bytes) {
            try {
                RingBuffers.write(writer, source.slice(0, bytes));
            } catch (ProtocolMismatchException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Reads a byte; whether the writer has to be woken. */
        final boolean read() {
            try {
                return RingBuffers.read(reader, target);
            } catch (ProtocolMismatchException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A full ring. */
    @State
    public static class FullRing extends Ring {
        /** Fills it. */
        public FullRing() {
            write(ByteRing.CAPACITY_BYTES);
            writer.publish();
        }
    }

    /** A reader that sees that a byte was written sees the byte. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "nothing, or the byte")
    @Outcome(expect = FORBIDDEN, desc = "what was not written")
    public static class Publish {
        @Actor
        public void write(Ring ring) {
            ring.write(1);
            ring.writer.publish();
        }

        @Actor
        public void read(Ring ring, II_Result result) {
            ring.read();
            result.r1 = ring.target.readableBytes();
            result.r2 = result.r1 == 0 ? 0 : ring.target.readByte();
        }
    }

    /** A reader that falls asleep is woken by what is written. */
    @JCStressTest
    @Outcome(id = "true, false", expect = FORBIDDEN, desc = "it sleeps, and nobody wakes it")
    @Outcome(expect = ACCEPTABLE, desc = "it is awake, or woken")
    public static class Sleep {
        @Actor
        public void write(Ring ring, ZZ_Result result) {
            ring.write(1);
            result.r2 = ring.writer.publish();
        }

        @Actor
        public void read(Ring ring, ZZ_Result result) {
            result.r1 = ring.reader.fallAsleep();
        }
    }

    /** A writer that waits for room is woken by what is read. */
    @JCStressTest
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "it waits, and nobody wakes it")
    @Outcome(expect = ACCEPTABLE, desc = "it has room, or is woken")
    public static class Room {
        @Actor
        public void write(FullRing ring, ZZ_Result result) {
            result.r1 = ring.writer.awaitRoom();
        }

        @Actor
        public void read(FullRing ring, ZZ_Result result) {
            result.r2 = ring.read();
        }
    }

    /** A writer takes the place of a byte when that has been read. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "the byte was read")
    @Outcome(expect = FORBIDDEN, desc = "the byte was overwritten before")
    public static class Reuse {
        @Actor
        public void write(FullRing ring, II_Result result) {
            int before = ring.source.readerIndex();
            ring.source.setByte(0, NEW);
            ring.write(1);
            result.r2 = before;
        }

        @Actor
        public void read(FullRing ring, II_Result result) {
            ring.read();
            result.r1 = ring.target.readByte();
        }
    }

    /** All bytes arrive, in order, whoever is faster. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1", "2, 3"},
            expect = ACCEPTABLE,
            desc = "as many as there were")
    @Outcome(expect = FORBIDDEN, desc = "others")
    public static class Order {
        @Actor
        public void write(Ring ring) {
            ring.source.setByte(0, OLD);
            ring.write(1);
            ring.writer.publish();
            ring.source.setByte(0, NEW);
            ring.write(1);
            ring.writer.publish();
        }

        @Actor
        public void read(Ring ring, II_Result result) {
            for (int i = 0; i < 2; i++) {
                ring.target.clear();
                ring.read();
                if (ring.target.isReadable()) {
                    result.r1++;
                    result.r2 += ring.target.readByte();
                }
            }
        }

        @Arbiter
        public void end(Ring ring, II_Result result) {
            if (result.r1 == 1 && result.r2 != OLD) {
                result.r1 = -1;
            }
        }
    }
}
