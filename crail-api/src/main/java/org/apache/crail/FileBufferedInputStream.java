/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/** Placeholder. */
@SuppressWarnings("InputStreamSlowMultibyteRead")
class FileBufferedInputStream extends CrailBufferedInputStream {
    FileBufferedInputStream(CrailFile node, long hint) {}

    @Override
    public int read() {
        throw new UnsupportedOperationException();
    }
}
