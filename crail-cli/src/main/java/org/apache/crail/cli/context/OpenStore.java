/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.io.IOException;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;

/**
 * A store that a try statement closes. Thread safe as the store.
 *
 * @param store the store
 */
public record OpenStore(CrailStore store) implements AutoCloseable {
    /** Opens a store that nobody else in this process uses. */
    static OpenStore open(CrailConfiguration conf) throws Exception {
        CrailConfiguration own = conf.copy();
        own.set(CrailKeys.SINGLETON, false);
        return new OpenStore(CrailStore.newInstance(own));
    }

    @Override
    public void close() throws IOException {
        Closing.close(store);
    }
}
