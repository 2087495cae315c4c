/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.crail.fuzz.Given;
import org.apache.crail.fuzz.Limits;
import org.apache.crail.fuzz.Pieces;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.TestRegions;

/**
 * A datanode of the {@code tcp} tier that hears what a client makes up: a greeting, right or not, then requests with
 * fields that are nearly right, and any bytes, in pieces of any size. What it answers has the form of the protocol.
 * Stateless.
 */
public final class DatanodeTarget {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 4;
    private static final int MOST_SENT_BYTES = 64 * 1024;
    private static final MappedRegion REGION = TestRegions.mapped(BLOCKS, BLOCK);

    private DatanodeTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> take(new Given(input)));
    }

    private static void take(Given input) {
        RegionTable regions = new RegionTable();
        int key = regions.add(REGION, Optional.empty(), BlockFence.inProcess(BLOCKS));
        regions.admitEpochs(100);
        EmbeddedChannel channel = new EmbeddedChannel();
        TcpServerConnection connection =
                new TcpServerConnection(channel, regions, new ClientTable(), "fuzz", () -> new Shortcuts(null, null));
        channel.pipeline().addLast(connection).fireChannelActive();
        int wantedPiece = 1 + input.largeNumber();
        Pieces.feed(channel, connection, sent(input, key), wantedPiece);
        checkAnswers(channel);
        channel.finishAndReleaseAll();
    }

    private static byte[] sent(Given input, int key) {
        ByteBuffer sent = ByteBuffer.allocate(MOST_SENT_BYTES);
        greet(input, sent);
        while (input.hasMore() && sent.remaining() >= TransferProtocol.HEAD_BYTES + BLOCK) {
            if (input.number() % 2 == 0) {
                sent.put(input.bytes(input.number()));
            } else {
                request(input, key, sent);
            }
        }
        byte[] bytes = new byte[sent.position()];
        sent.get(0, bytes);
        return bytes;
    }

    private static void greet(Given input, ByteBuffer sent) {
        if (input.number() % 4 != 0) {
            byte[] name = "fuzz".getBytes(StandardCharsets.UTF_8);
            sent.putInt(TransferProtocol.MAGIC).putShort(TransferProtocol.VERSION);
            sent.putLong(1).putLong(2).putShort((short) name.length).put(name);
        }
    }

    private static void request(Given input, int key, ByteBuffer sent) {
        boolean isWrite = input.number() % 2 == 0;
        int length = nearly(input, input.largeNumber());
        sent.putInt(isWrite ? TransferProtocol.WRITE : TransferProtocol.READ);
        sent.putLong(input.number());
        sent.putInt(nearly(input, key));
        sent.putLong(nearly(input, input.number() % BLOCKS * BLOCK));
        sent.putInt(nearly(input, BLOCK));
        sent.putLong(nearly(input, input.number() % 101));
        sent.putInt(nearly(input, input.largeNumber()));
        sent.putInt(length);
        sent.put(new byte[TransferProtocol.UNUSED_REQUEST_BYTES]);
        if (isWrite) {
            sent.put(new byte[Math.max(0, Math.min(length, BLOCK - TransferProtocol.HEAD_BYTES))]);
        }
    }

    /** Mostly what is right. */
    private static int nearly(Given input, int right) {
        return switch (input.number()) {
            case 255 -> input.integer();
            case 254 -> -right;
            case 253 -> right + 1;
            case 252 -> right - 1;
            default -> right;
        };
    }

    private static void checkAnswers(EmbeddedChannel channel) {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            all.writeBytes(next);
            next.release();
        }
        int headBytes = TransferProtocol.HELLO_ANSWER_BYTES;
        int lengthAt = headBytes - Integer.BYTES;
        while (all.isReadable()) {
            int length = all.getInt(all.readerIndex() + lengthAt);
            all.skipBytes(headBytes + length);
            headBytes = TransferProtocol.HEAD_BYTES;
            lengthAt = Long.BYTES + Integer.BYTES;
        }
    }
}
