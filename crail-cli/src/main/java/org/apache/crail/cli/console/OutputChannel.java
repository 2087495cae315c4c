/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/** Standard output for bytes: unlike a print stream it fails when they go nowhere. Thread safe as the stream. */
final class OutputChannel implements WritableByteChannel {
    private final Console console;
    private final WritableByteChannel channel;

    OutputChannel(Console console) {
        this.console = console;
        this.channel = Channels.newChannel(console.out());
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int length = channel.write(source);
        console.checkOut();
        return length;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /** Only flushes: the process goes on to use its standard output. */
    @Override
    public void close() {
        console.out().flush();
    }
}
