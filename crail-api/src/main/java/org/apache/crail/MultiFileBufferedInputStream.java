/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import org.apache.crail.error.InvalidRequestException;

/** A buffered stream over the files of a bag. Not thread safe. */
class MultiFileBufferedInputStream extends CrailBufferedInputStream {
    private final MultiFileReadSource source;

    MultiFileBufferedInputStream(CrailMultiFile bag, int outstanding) throws Exception {
        this(bag, new MultiFileReadSource(bag, checked(outstanding)), outstanding);
    }

    private MultiFileBufferedInputStream(CrailMultiFile bag, MultiFileReadSource source, int outstanding) {
        super(bag, source, new SlicePool(bag.getFileSystem(), outstanding + 1));
        this.source = source;
    }

    private static int checked(int outstanding) throws InvalidRequestException {
        if (outstanding < 1 || outstanding == Integer.MAX_VALUE) {
            throw new InvalidRequestException(
                    "cannot read with " + outstanding + " transfers in flight; at least 1 is needed");
        }
        return outstanding;
    }

    @Override
    public CrailInputStream getStream() {
        return source.stream();
    }

    @Override
    public void putStream() {}

    @Override
    public void seek(long position) throws IOException {
        throw cannotSeek();
    }

    @Override
    int readAt(long position, byte[] target, int offset, int length) throws IOException {
        throw cannotSeek();
    }

    static InvalidRequestException cannotSeek() {
        return new InvalidRequestException("Seek not supported on multistream; read the files one by one instead");
    }
}
