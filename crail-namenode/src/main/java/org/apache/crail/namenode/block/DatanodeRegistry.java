/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.DataNodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * All datanodes, by address and locator, and by the index that block ids hold. Not thread safe; guarded by the namespace's lock,
 * {@link #byIndex} also works for optimistic readers.
 */
final class DatanodeRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(DatanodeRegistry.class);
    private static final int MAX_HOST_BYTES = 255;
    /** With the longest host, 64 blocks, which clients ask for at once, fit a message. */
    private static final int MAX_LOCATOR_BYTES = 640;

    private static final int MAX_PORT = 65535;

    private final StorageClassPool[] pools;
    private final int partsPerBlock;
    private final Map<String, Datanode> byIdentity = new LinkedHashMap<>();
    private Datanode[] byIndex = new Datanode[8];
    private int lastIndex;

    DatanodeRegistry(int storageClasses, int partsPerBlock) {
        this.partsPerBlock = partsPerBlock;
        pools = new StorageClassPool[storageClasses];
        Arrays.setAll(pools, i -> new StorageClassPool());
    }

    StorageClassPool pool(int storageClass) {
        return pools[storageClass];
    }

    int storageClasses() {
        return pools.length;
    }

    /** The datanode with an index, living or retired, or null. */
    Datanode byIndex(int index) {
        Datanode[] all = byIndex;
        return index >= 0 && index < all.length ? all[index] : null;
    }

    /** The datanodes that are known, in the order of registration; retired ones are not among them. */
    Collection<Datanode> all() {
        return byIdentity.values();
    }

    /** The present life of the datanode with this address and locator, or null. */
    Datanode find(DataNodeInfo info) {
        return byIdentity.get(info.identity());
    }

    /** The datanode in this very life. */
    Datanode require(DataNodeInfo info, long incarnation) throws DatanodeNotRegisteredException {
        Datanode known = find(info);
        if (known == null || known.incarnation() != incarnation) {
            throw new DatanodeNotRegisteredException("datanode " + info.identity() + " is "
                    + (known == null ? "not registered" : "registered with another incarnation")
                    + "; it must register its regions");
        }
        return known;
    }

    /** Checks what a datanode says of itself. */
    void check(DataNodeInfo info) throws InvalidRequestException {
        int hostBytes = info.host().getBytes(StandardCharsets.UTF_8).length;
        if (hostBytes == 0 || hostBytes > MAX_HOST_BYTES || info.getPort() < 1 || info.getPort() > MAX_PORT) {
            throw new InvalidRequestException("cannot register datanode " + info.identity()
                    + ": a datanode needs a host of 1 to " + MAX_HOST_BYTES + " bytes and a port of 1 to " + MAX_PORT);
        }
        if (info.getStorageClass() < 0 || info.getStorageClass() >= pools.length) {
            throw new InvalidRequestException("cannot register datanode " + info.identity() + " in storage class "
                    + info.getStorageClass() + ": the cluster has classes 0 to " + (pools.length - 1)
                    + "; give it one of these or raise crail.storage.classes");
        }
        if (info.locator().getBytes(StandardCharsets.UTF_8).length > MAX_LOCATOR_BYTES) {
            throw new InvalidRequestException("cannot register datanode " + info.address()
                    + ": its locator is longer than " + MAX_LOCATOR_BYTES + " bytes; use shorter names");
        }
        if (info.getStorageType() < 0) {
            throw new InvalidRequestException("cannot register datanode " + info.identity() + " with storage type "
                    + info.getStorageType() + ": a storage type is the place of its tier in crail.storage.types");
        }
    }

    /** Begins a life of a datanode; a former one of the same identity must have been retired. */
    Datanode add(DataNodeInfo info, long incarnation, String medium) throws InvalidRequestException {
        if (lastIndex == BlockId.MOST_DATANODES) {
            throw new InvalidRequestException("cannot register datanode " + info.identity() + ": datanodes have begun "
                    + BlockId.MOST_DATANODES + " lives with this namenode; restart the namenode");
        }
        int index = ++lastIndex;
        if (index == byIndex.length) {
            byIndex = Arrays.copyOf(byIndex, index * 2);
        }
        Datanode datanode = new Datanode(index, info, incarnation, medium, partsPerBlock);
        byIndex[index] = datanode;
        byIdentity.put(info.identity(), datanode);
        pools[info.getStorageClass()].add(datanode);
        LOG.info("datanode {} joined", info);
        return datanode;
    }

    /** Tells the operator of datanodes that have fallen silent or are heard again. */
    void tellLiveness(long nowNs, long timeoutNs) {
        for (Datanode datanode : all()) {
            boolean live = datanode.isLive(nowNs, timeoutNs);
            if (datanode.noteLiveness(live)) {
                String silence = datanode.isStopped() ? "has stopped" : "is silent";
                String state = live ? "is heard again" : silence + " and gets no blocks until it is heard again";
                LOG.atLevel(datanode.isStopped() ? Level.INFO : Level.WARN)
                        .log(
                                "datanode {} {}; {} of its {} blocks are in use",
                                datanode.info(),
                                state,
                                datanode.usedBlocks(),
                                datanode.blocks());
            }
        }
    }

    /**
     * Ends a life of a datanode.
     *
     * @param why what happened to it, for the log
     */
    void retire(Datanode datanode, String why) {
        LOG.warn("datanode {} {}; {} blocks in use are lost", datanode.info(), why, datanode.usedBlocks());
        byIdentity.remove(datanode.info().identity());
        pools[datanode.info().getStorageClass()].remove(datanode);
        datanode.retire();
    }
}
