/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RegisterResponse;
import org.apache.crail.storage.StorageServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a datanode has told a namenode, so that it can tell it again. Thread safe: one thread allocates regions and
 * registers them while another one sends heartbeats.
 */
final class Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

    /** Each namenode that starts meanwhile may ask for one more. */
    private static final int MOST_LIMITS = 8;

    private final NamenodeConnection namenode;
    private final DataNodeInfo datanode;
    private final StorageServer server;
    private final List<Region> regions = new ArrayList<>();

    /** Blocks that this namenode adds get epochs above the first, and up to the second of these. */
    private long epochAfter;

    private long epochLimit;
    private long registeredBlocks;
    private boolean complete = true;

    Registration(NamenodeConnection namenode, DataNodeInfo datanode, StorageServer server) {
        this.namenode = namenode;
        this.datanode = datanode;
        this.server = server;
        this.epochLimit = server.comparesEpochs() ? 0 : Long.MAX_VALUE;
    }

    DataNodeInfo datanode() {
        return datanode;
    }

    /** Bytes that the namenode has been told of. */
    synchronized long registeredBytes() {
        return regions.stream().mapToLong(Region::length).sum();
    }

    /** Adds a region to what the datanode offers. */
    synchronized void register(Region region) throws CrailException {
        long before = registeredBlocks;
        tell(region, server.hasFormerData());
        regions.add(region);
        complete &= registeredBlocks > before; // fewer: the namenode started anew and has forgotten the others
    }

    /** Whether the present namenode knows all regions, by all that this datanode has seen. */
    synchronized boolean isComplete() {
        return complete;
    }

    /**
     * Tells a namenode that has forgotten this datanode everything again; to be repeated if it fails half-way. Clients
     * may still know locations that they were told before. So the blocks wait until those have ended: no tier can take
     * back a read that it has admitted, and may send what a new owner writes. Where the tier compares epochs, new ones
     * are above all that were given, as a client that is stopped does not see the end of its locations.
     */
    synchronized void registerAll() throws CrailException {
        complete = false;
        epochAfter = server.comparesEpochs() ? epochLimit : 0;
        for (Region region : regions) {
            tell(region, true);
        }
        complete = true;
    }

    private void tell(Region region, boolean inUse) throws CrailException {
        RegisterResponse answer = ask(region, inUse);
        for (int raised = 0; answer.epochLimit() > epochLimit; raised++) {
            if (raised == MOST_LIMITS) {
                throw new InternalErrorException("region " + region + " cannot be registered: the namenode has asked "
                        + raised + " times for higher epochs; is it started again and again?");
            }
            server.admitEpochs(answer.epochLimit()); // before any block is given out in such an epoch
            epochLimit = answer.epochLimit();
            answer = ask(region, inUse);
        }
        registeredBlocks = answer.blocks();
    }

    private RegisterResponse ask(Region region, boolean inUse) throws CrailException {
        return await(namenode.call(new RegisterRequest(
                datanode, server.incarnation(), server.medium(), epochAfter, epochLimit, inUse, List.of(region))));
    }

    /** Tells that the datanode lives; answers how many of its blocks are free. */
    synchronized long heartbeat() throws CrailException {
        return await(namenode.call(new HeartbeatRequest(datanode, server.incarnation())))
                .freeBlocks();
    }

    /** Tells that the datanode stops, if the namenode can be told at once. */
    synchronized void signOff() {
        if (!namenode.isOpen()) {
            return;
        }
        try {
            await(namenode.call(new HeartbeatRequest(datanode, server.incarnation(), true)));
        } catch (CrailException e) {
            LOG.warn("the namenode was not told that this datanode stops: {}", e.getMessage());
        }
    }

    /** Waits for the answer of a call; calls end by themselves within their time limit. */
    static <T> T await(CompletableFuture<T> future) throws CrailException {
        try {
            long ignored = Surroundings.beforeWait(future, Long.MAX_VALUE);
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CrailException known
                    ? known.again(known.getMessage())
                    : new InternalErrorException("a call to the namenode failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClosedException("the datanode is being closed", e);
        }
    }
}
