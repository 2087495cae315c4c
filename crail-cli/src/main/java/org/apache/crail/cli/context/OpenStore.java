/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.io.IOException;
import org.apache.crail.CrailStore;

/**
 * A store that a try statement closes. Thread safe as the store.
 *
 * @param store the store
 */
public record OpenStore(CrailStore store) implements AutoCloseable {
    @Override
    public void close() throws IOException {
        Closing.close(store);
    }
}
