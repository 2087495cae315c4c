/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.fuzz.Given;
import org.apache.crail.fuzz.Limits;
import org.apache.crail.netty.RingBuffers;

/**
 * Both ends of a ring, the memory of which the other process writes as it likes: steps of an end, between words and
 * bytes at places that the input names. Stateless.
 */
public final class RingTarget {
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(ByteRing.TOTAL_BYTES + 64)
            .alignedSlice(64)
            .order(ByteOrder.nativeOrder());

    /** For whatever is read and written, as what this target takes for itself is no memory that the ring takes. */
    private static final byte[] BYTES = new byte[1 << Short.SIZE];

    private RingTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> take(new Given(input)));
    }

    private static void take(Given input) {
        for (int at = 0; at < ByteRing.TOTAL_BYTES; at += Long.BYTES) {
            MEMORY.putLong(at, 0);
        }
        ByteBuffer memory = MEMORY.slice(0, ByteRing.TOTAL_BYTES);
        RingReader reader = new RingReader(new ByteRing(memory));
        RingWriter writer = new RingWriter(new ByteRing(memory));
        try {
            while (input.hasMore()) {
                step(input, reader, writer);
            }
        } catch (ProtocolMismatchException refused) {
            return;
        }
    }

    private static void step(Given input, RingReader reader, RingWriter writer) throws ProtocolMismatchException {
        int choice = input.number();
        switch (choice % 8) {
            case 0 -> MEMORY.putLong(input.number() % 64 * Long.BYTES, input.longInteger());
            case 1 -> MEMORY.putLong(input.number() % 4 * 128, input.largeNumber());
            case 2 -> MEMORY.put(input.largeNumber() % ByteRing.TOTAL_BYTES, (byte) input.number());
            case 3 -> read(reader, input.largeNumber());
            case 4 -> write(writer, input.largeNumber());
            case 5 -> reader.fallAsleep();
            case 6 -> {
                reader.wake();
                writer.awaitRoom();
            }
            default -> writer.publish();
        }
    }

    private static void read(RingReader reader, int most) throws ProtocolMismatchException {
        ByteBuf into = Unpooled.wrappedBuffer(BYTES).slice(0, most).clear();
        RingBuffers.read(reader, into);
        if (into.readableBytes() > ByteRing.CAPACITY_BYTES) {
            throw new AssertionError(into.readableBytes() + " bytes were read");
        }
    }

    private static void write(RingWriter writer, int bytes) throws ProtocolMismatchException {
        ByteBuf from = Unpooled.wrappedBuffer(BYTES, 0, bytes);
        int written = RingBuffers.write(writer, from);
        if (written < 0 || written > ByteRing.CAPACITY_BYTES || from.readableBytes() != bytes - written) {
            throw new AssertionError(written + " of " + bytes + " bytes were written");
        }
    }
}
