/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.OutputStream;

/** Placeholder. */
public class CrailBufferedOutputStream extends OutputStream {
    CrailBufferedOutputStream(CrailFile file, long writeHint) {}

    @Override
    public final void write(int value) {
        throw new UnsupportedOperationException();
    }
}
