/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.concurrent.Future;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.namenode.NameNodeService;
import org.apache.crail.namenode.NamenodeClock;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.server.MetadataService;

/**
 * The namenode's service in this process, without a transport, with a datanode that exists in its books only. Thread safe,
 * as the service is.
 */
final class LocalNamenode implements AutoCloseable {
    private static final long RECLAIM_PERIOD_MS = 20;

    private final NameNodeService service;
    private final Future<?> reclamation;

    private LocalNamenode(NameNodeService service) {
        this.service = service;
        this.reclamation = SharedTimer.every(RECLAIM_PERIOD_MS, service::reclaim);
    }

    /** Starts a namenode that has so many free blocks. */
    static LocalNamenode start(long blocks) throws CrailException {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        configuration.set("crail.storage.keepalive", "1h"); // the datanode that does not exist sends no heartbeats
        configuration.set("crail.tokenexpiration", "100ms"); // removed files give their blocks back at once
        NameNodeService service = new NameNodeService(
                NamenodeSettings.of(configuration, System.currentTimeMillis()), NamenodeClock.SYSTEM);
        service.register(FakeBlocks.register(0, blocks, configuration.get(CrailKeys.BLOCK_SIZE)));
        return new LocalNamenode(service);
    }

    MetadataService service() {
        return service;
    }

    /** Fails if the books do not add up: a benchmark of a namenode that is wrong says nothing. */
    void check() throws CrailException {
        CheckResponse check = service.check(new CheckRequest());
        if (!check.problems().isEmpty()) {
            throw new IllegalStateException("the namenode's books do not add up: " + check);
        }
    }

    @Override
    public void close() {
        reclamation.cancel(false);
    }
}
