/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportResponse;

/**
 * A namenode and its datanodes, in bytes; also the form of {@code crail report --json}. Immutable.
 *
 * @param namenode {@code host:port}
 * @param clusterId the cluster's id
 * @param uptimeMs time since the namenode started
 * @param blockSizeBytes size of a block
 * @param nodes nodes in the tree, the root counted
 * @param expiring nodes that go by themselves at some time
 * @param expired nodes that have gone by themselves since the namenode started
 * @param evicted nodes that have been removed since then because the store was nearly full
 * @param space what the live datanodes have together
 * @param classes the live datanodes by storage class
 * @param datanodes in the order of registration
 */
record ClusterReport(
        String namenode,
        String clusterId,
        long uptimeMs,
        int blockSizeBytes,
        long nodes,
        long expiring,
        long expired,
        long evicted,
        Space space,
        List<StorageClass> classes,
        List<Datanode> datanodes) {

    /** Puts the pages of a report together; there is one at least. */
    static ClusterReport of(String namenode, List<ReportResponse> pages, List<String> tiers) {
        ReportResponse response = pages.get(0);
        SortedMap<Integer, StorageClass> classes = new TreeMap<>();
        List<Datanode> datanodes = new ArrayList<>();
        Space all = Space.NONE;
        for (DatanodeReport report :
                pages.stream().flatMap(page -> page.datanodes().stream()).toList()) {
            Datanode datanode = Datanode.of(report, response.blockSizeBytes(), tiers);
            datanodes.add(datanode);
            if (!datanode.live()) {
                continue; // what it offered cannot be used
            }
            all = all.plus(datanode.space());
            classes.merge(
                    datanode.storageClass(),
                    new StorageClass(datanode.storageClass(), 1, datanode.space()),
                    StorageClass::plus);
        }
        return new ClusterReport(
                namenode,
                response.clusterId(),
                response.uptimeMs(),
                response.blockSizeBytes(),
                response.nodes(),
                response.expiring(),
                response.expired(),
                response.evicted(),
                all,
                List.copyOf(classes.values()),
                List.copyOf(datanodes));
    }

    long datanodes(String state) {
        return datanodes.stream()
                .filter(datanode -> datanode.state().equals(state))
                .count();
    }

    /**
     * What there is and who has it.
     *
     * @param capacityBytes all blocks
     * @param usedBytes blocks that nodes hold
     * @param pendingBytes blocks that wait for reclamation
     * @param freeBytes the rest
     */
    record Space(long capacityBytes, long usedBytes, long pendingBytes, long freeBytes) {
        static final Space NONE = new Space(0, 0, 0, 0);

        /** How much of it nodes hold, for people. */
        String usedPercent() {
            return capacityBytes == 0 ? "-" : Math.round(100.0 * usedBytes / capacityBytes) + " %";
        }

        Space plus(Space other) {
            return new Space(
                    capacityBytes + other.capacityBytes,
                    usedBytes + other.usedBytes,
                    pendingBytes + other.pendingBytes,
                    freeBytes + other.freeBytes);
        }
    }

    /**
     * Datanodes of one storage class together.
     *
     * @param storageClass its number
     * @param datanodes how many
     * @param space theirs
     */
    record StorageClass(int storageClass, int datanodes, Space space) {
        StorageClass plus(StorageClass other) {
            return new StorageClass(storageClass, datanodes + other.datanodes, space.plus(other.space));
        }
    }

    /**
     * A datanode.
     *
     * @param host as it advertises it
     * @param address {@code host:port}, and the locator in brackets if there is one
     * @param tier class of its tier
     * @param storageClass its number
     * @param live whether its heartbeats arrive
     * @param state {@link #LIVE}; {@link #STOPPED} if it has said goodbye; else {@link #SILENT}
     * @param lastHeartbeatMs time since the last one
     * @param space its own
     */
    record Datanode(
            String host,
            String address,
            String tier,
            int storageClass,
            boolean live,
            String state,
            long lastHeartbeatMs,
            Space space) {
        static final String LIVE = "live";
        static final String SILENT = "silent";
        static final String STOPPED = "stopped";

        static Datanode of(DatanodeReport report, long blockSizeBytes, List<String> tiers) {
            int type = report.datanode().getStorageType();
            long used = report.blocks() - report.freeBlocks() - report.pendingBlocks();
            return new Datanode(
                    report.datanode().host(),
                    report.datanode().identity(),
                    type >= 0 && type < tiers.size() ? tiers.get(type) : "type " + type,
                    report.datanode().getStorageClass(),
                    report.live(),
                    state(report),
                    report.heartbeatAgeMs(),
                    new Space(
                            report.blocks() * blockSizeBytes,
                            used * blockSizeBytes,
                            report.pendingBlocks() * blockSizeBytes,
                            report.freeBlocks() * blockSizeBytes));
        }

        private static String state(DatanodeReport report) {
            if (report.live()) {
                return LIVE;
            }
            return report.stopped() ? STOPPED : SILENT;
        }

        /** The tier without its package. */
        String tierName() {
            return tier.substring(tier.lastIndexOf('.') + 1);
        }
    }
}
