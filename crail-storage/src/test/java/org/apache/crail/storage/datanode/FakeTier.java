/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/** A tier that listens where its only argument says and offers three regions of one block. Thread safe. */
public final class FakeTier implements StorageTier {
    /** Runs before the second region is made. */
    static volatile Runnable beforeSecondRegion = () -> {};

    /** Whether transfers of former epochs are refused. */
    static volatile boolean comparesEpochs;

    /** The limit that was admitted last. */
    static volatile long admitted;

    /** How many times datanodes cannot even say whether they live. */
    static final AtomicInteger FAILURES = new AtomicInteger();

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) {
        InetSocketAddress bound = new InetSocketAddress(arguments.get(0), 7);
        return new StorageServer() {
            private int regions;

            @Override
            public InetSocketAddress address() {
                return bound;
            }

            @Override
            public Optional<Region> allocateRegion() {
                long lba = (long) regions << 20;
                if (regions == 1) {
                    beforeSecondRegion.run();
                }
                return regions++ < 3 ? Optional.of(new Region(lba, 0, 1 << 20, 1)) : Optional.empty();
            }

            @Override
            public long incarnation() {
                return 1;
            }

            @Override
            public boolean comparesEpochs() {
                return comparesEpochs;
            }

            @Override
            public void admitEpochs(long limit) {
                admitted = limit;
            }

            @Override
            public boolean isAlive() {
                if (FAILURES.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("injected");
                }
                return true;
            }

            @Override
            public void close() {}
        };
    }
}
