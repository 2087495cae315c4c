/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.io.IOException;
import java.io.OutputStream;

/** Remembers why writing failed, which a print stream does not tell. Thread safe as the stream. */
final class RememberingStream extends OutputStream {
    private final OutputStream out;
    private volatile IOException failure;

    RememberingStream(OutputStream out) {
        this.out = out;
    }

    /** Why bytes were not written; null if all were. */
    IOException failure() {
        return failure;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        try {
            out.write(source, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
