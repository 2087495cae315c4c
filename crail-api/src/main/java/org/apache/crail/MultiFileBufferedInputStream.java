/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/** Placeholder. */
@SuppressWarnings("InputStreamSlowMultibyteRead")
class MultiFileBufferedInputStream extends CrailBufferedInputStream {
    MultiFileBufferedInputStream(CrailMultiFile node, int hint) {}

    @Override
    public int read() {
        throw new UnsupportedOperationException();
    }
}
