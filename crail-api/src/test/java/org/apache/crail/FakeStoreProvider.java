/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.spi.CrailStoreProvider;

/** Opens stores for the test of {@link CrailStore#newInstance} and remembers what it opened them with. */
public final class FakeStoreProvider implements CrailStoreProvider {
    static final List<CrailConfiguration> OPENED = new ArrayList<>();
    static boolean failNext;

    @Override
    public CrailStore open(CrailConfiguration conf) throws IOException {
        if (failNext) {
            failNext = false;
            throw new IOException("no namenode");
        }
        OPENED.add(conf);
        return new FakeStore(64, 64);
    }
}
