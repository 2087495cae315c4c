/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;
import org.apache.crail.storage.nvmf.NvmfCounters;
import org.apache.crail.storage.nvmf.NvmfStorageTier;

/** The nvmf tier for stores whose counters a test asks; all of them count together. Thread safe. */
public final class CountedNvmfTier implements StorageTier {
    private static final NvmfStorageTier TIER = new NvmfStorageTier();

    /** What the stores have done together. */
    static NvmfCounters counters() {
        return TIER.counters();
    }

    @Override
    public String name() {
        return TIER.name();
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) throws CrailException {
        return TIER.createClient(configuration);
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) {
        throw new UnsupportedOperationException("for clients only");
    }
}
