/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.fuzz.Given;
import org.apache.crail.fuzz.Limits;
import org.apache.crail.fuzz.Pieces;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * A client of the {@code tcp} tier that hears what a datanode makes up, in pieces of any size. Each of its transfers
 * ends, well or with a typed error. Stateless.
 */
public final class ClientTarget {
    private static final int TRANSFER_BYTES = 16;
    private static final BlockInfo BLOCK = new BlockInfo(new DataNodeInfo(0, 0, 0, "dn", 1), 0, 0, 4096, 7, 1);

    private ClientTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> take(new Given(input)));
    }

    private static void take(Given input) {
        EmbeddedChannel channel = new EmbeddedChannel();
        Watch watch = new Watch();
        TcpClientConnection connection = new TcpClientConnection(channel, watch);
        channel.pipeline().addLast(connection);
        connection.greet(new UUID(1, 2), "fuzz");
        int wantedPiece = 1 + input.number();
        Pieces.feed(channel, connection, input.rest(), wantedPiece);
        channel.finishAndReleaseAll();
        watch.check();
    }

    /** What the connection tells its owner. Used by one thread. */
    private static final class Watch implements TcpClientConnection.Listener {
        private final List<Transfer> transfers = new ArrayList<>();
        private int ends;

        @Override
        public void onWelcome(TcpClientConnection welcomed, Shortcuts shortcuts) {
            if (shortcuts.socket() != null && !LocalSockets.survives(shortcuts.socket())) {
                throw new AssertionError(shortcuts);
            }
            for (boolean isWrite : new boolean[] {true, false, true, false}) {
                Transfer transfer = new Transfer(null, isWrite, BLOCK, 0, ByteBuffer.allocate(TRANSFER_BYTES), 0);
                transfers.add(transfer);
                welcomed.send(transfer);
            }
            welcomed.flush();
        }

        @Override
        public void onEnd(TcpClientConnection ended, CrailException reason) {
            ends++;
        }

        @Override
        public DatanodeUnreachableException unreachable(String why, Throwable cause) {
            if (cause != null && !(cause instanceof IOException)) {
                throw new AssertionError(why, cause);
            }
            return new DatanodeUnreachableException(why, cause);
        }

        void check() {
            if (ends != 1 || !transfers.stream().allMatch(Transfer::isDone)) {
                throw new AssertionError(ends + " ends, " + transfers);
            }
        }
    }
}
