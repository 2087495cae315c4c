/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.apache.crail.netty.ReceiveTarget;

/** Bytes that reach a connection in pieces. Stateless. */
public final class Pieces {
    /** As each costs an event. */
    private static final int MOST = 256;

    private Pieces() {}

    /**
     * Lets a connection receive bytes until it closes its channel.
     *
     * @param wantedBytes the size of a piece, if that makes not too many
     */
    public static void feed(EmbeddedChannel channel, ReceiveTarget connection, byte[] sent, int wantedBytes) {
        int piece = Math.max(wantedBytes, sent.length / MOST);
        for (int at = 0; at < sent.length && channel.isOpen(); ) {
            ByteBuf buffer = connection.receiveBuffer(channel.alloc());
            int bytes = Math.min(Math.min(piece, sent.length - at), buffer.writableBytes());
            channel.writeInbound(buffer.writeBytes(sent, at, bytes));
            at += bytes;
            channel.checkException();
        }
    }
}
