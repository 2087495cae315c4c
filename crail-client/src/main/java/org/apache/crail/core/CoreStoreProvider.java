/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.spi.CrailStoreProvider;

/** Opens {@link CoreDataStore}s for {@link CrailStore#newInstance}. Thread safe. */
public final class CoreStoreProvider implements CrailStoreProvider {
    /** For the service loader. */
    public CoreStoreProvider() {}

    @Override
    public CrailStore open(CrailConfiguration conf) throws Exception {
        CoreDataStore store = CoreDataStore.open(conf);
        CrailConstants.updateConstants(store.configuration());
        return store;
    }
}
