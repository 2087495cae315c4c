/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.rpc.message.RegisterRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a datanode has told a namenode, so that it can tell it again. Used by one thread at a time. */
final class Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

    private final NamenodeConnection namenode;
    private final DataNodeInfo datanode;
    private final long incarnation;
    private final String medium;
    private final List<Region> regions = new CopyOnWriteArrayList<>();
    private long registeredBlocks;
    private boolean complete = true;

    Registration(NamenodeConnection namenode, DataNodeInfo datanode, long incarnation, String medium) {
        this.namenode = namenode;
        this.datanode = datanode;
        this.incarnation = incarnation;
        this.medium = medium;
    }

    DataNodeInfo datanode() {
        return datanode;
    }

    /** Bytes that the namenode has been told of. */
    long registeredBytes() {
        return regions.stream().mapToLong(Region::length).sum();
    }

    /** Adds a region to what the datanode offers. */
    void register(Region region) throws CrailException {
        long before = registeredBlocks;
        tell(region);
        regions.add(region);
        complete &= registeredBlocks > before; // fewer: the namenode started anew and has forgotten the others
    }

    /** Whether the present namenode knows all regions, by all that this datanode has seen. */
    boolean isComplete() {
        return complete;
    }

    /** Tells a namenode that has forgotten this datanode everything again; to be repeated if it fails half-way. */
    void registerAll() throws CrailException {
        complete = false;
        for (Region region : regions) {
            tell(region);
        }
        complete = true;
    }

    private void tell(Region region) throws CrailException {
        RegisterRequest request = new RegisterRequest(datanode, incarnation, medium, List.of(region));
        registeredBlocks = await(namenode.call(request)).blocks();
    }

    /** Tells that the datanode lives; answers how many of its blocks are free. */
    long heartbeat() throws CrailException {
        return await(namenode.call(new HeartbeatRequest(datanode, incarnation))).freeBlocks();
    }

    /** Tells that the datanode stops, if the namenode can be told at once. */
    void signOff() {
        if (!namenode.isOpen()) {
            return;
        }
        try {
            await(namenode.call(new HeartbeatRequest(datanode, incarnation, true)));
        } catch (CrailException e) {
            LOG.warn("the namenode was not told that this datanode stops: {}", e.getMessage());
        }
    }

    /** Waits for the answer of a call; calls end by themselves within their time limit. */
    static <T> T await(CompletableFuture<T> future) throws CrailException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CrailException known
                    ? known.code().exception(known.getMessage(), known)
                    : new InternalErrorException("a call to the namenode failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClosedException("the datanode is being closed", e);
        }
    }
}
