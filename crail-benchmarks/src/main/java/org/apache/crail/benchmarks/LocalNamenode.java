/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.ArrayList;
import java.util.List;
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
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.server.MetadataService;

/**
 * The namenode's service in this process, without a transport, with datanodes that exist in its books only, and whose
 * heartbeats come as often as real ones. Thread safe, as the service is.
 */
final class LocalNamenode implements AutoCloseable {
    private static final long RECLAIM_PERIOD_MS = 20;

    private final NameNodeService service;
    private final List<HeartbeatRequest> heartbeats;
    private final Future<?> reclamation;
    private final Future<?> lives;

    private LocalNamenode(NameNodeService service, List<HeartbeatRequest> heartbeats, long heartbeatPeriodMs) {
        this.service = service;
        this.heartbeats = heartbeats;
        this.reclamation = SharedTimer.every(RECLAIM_PERIOD_MS, service::reclaim);
        this.lives = SharedTimer.every(heartbeatPeriodMs, this::beat);
    }

    /** Starts a namenode that has so many free blocks, or a few more, on so many datanodes. */
    static LocalNamenode start(long blocks, int datanodes) throws CrailException {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        long heartbeatPeriodMs = configuration.get(CrailKeys.STORAGE_KEEPALIVE).toMillis();
        configuration.set("crail.storage.keepalive", "1h"); // no datanode is silent, however busy this machine is
        configuration.set("crail.tokenexpiration", "100ms"); // removed files give their blocks back at once
        NameNodeService service = new NameNodeService(
                NamenodeSettings.of(configuration, System.currentTimeMillis()), NamenodeClock.SYSTEM);
        List<HeartbeatRequest> heartbeats = new ArrayList<>();
        for (RegisterRequest request :
                FakeBlocks.registerEach(datanodes, blocks, configuration.get(CrailKeys.BLOCK_SIZE))) {
            service.register(request);
            heartbeats.add(new HeartbeatRequest(request.datanode(), request.incarnation()));
        }
        return new LocalNamenode(service, heartbeats, heartbeatPeriodMs);
    }

    private void beat() {
        try {
            for (HeartbeatRequest heartbeat : heartbeats) {
                service.heartbeat(heartbeat);
            }
        } catch (CrailException e) {
            throw new IllegalStateException("a heartbeat was refused", e);
        }
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
        lives.cancel(false);
    }
}
