/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.fuzz.Given;
import org.apache.crail.fuzz.Limits;
import org.apache.crail.fuzz.Stream;

/** What a socket receives, in pieces, as the messages of the metadata plane. Stateless. */
public final class FramesTarget {
    private FramesTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> take(new Given(input)));
    }

    private static void take(Given input) {
        int piece = 1 + input.largeNumber();
        byte[] sent = input.rest();
        List<byte[]> messages = new ArrayList<>();
        FrameInput frames = new FrameInput();
        boolean isRefused = false;
        try {
            for (int at = 0; at < sent.length; ) {
                at += receive(frames, sent, at, piece);
                for (ByteBuffer next = frames.next(); next != null; next = frames.next()) {
                    messages.add(Stream.bytes(next));
                }
                frames.releaseIfEmpty();
            }
        } catch (ProtocolMismatchException e) {
            isRefused = true;
        } finally {
            frames.release();
        }
        Stream.check(sent, messages, isRefused);
    }

    private static int receive(FrameInput frames, byte[] sent, int at, int piece) {
        ByteBuf buffer = frames.receiveBuffer(UnpooledByteBufAllocator.DEFAULT);
        try {
            int bytes = Math.min(Math.min(piece, sent.length - at), buffer.writableBytes());
            buffer.writeBytes(sent, at, bytes);
            return bytes;
        } finally {
            buffer.release();
        }
    }
}
