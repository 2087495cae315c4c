/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/** Standard output for bytes: unlike a print stream it fails when nobody reads any more. Thread safe as the stream. */
final class OutputChannel implements WritableByteChannel {
    private final PrintStream out;
    private final WritableByteChannel channel;

    OutputChannel(PrintStream out) {
        this.out = out;
        this.channel = Channels.newChannel(out);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int length = channel.write(source);
        if (out.checkError()) {
            throw new IOException("standard output has been closed by whoever read it");
        }
        return length;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /** Only flushes: the process goes on to use its standard output. */
    @Override
    public void close() {
        out.flush();
    }
}
