/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.namenode.block.BlockSelection;
import org.apache.crail.namenode.block.BlockStoreSettings;
import org.apache.crail.namenode.block.RegistrationLimits;

/**
 * What a namenode runs with, validated. Immutable.
 *
 * @param clusterId the cluster it serves
 * @param incarnation tells clients this life of the namenode from others
 * @param blockSizeBytes the size of a block
 * @param smallBlockBytes the size of the parts of blocks that small nodes share, 0 if none are shared
 * @param storageClasses the number of storage classes
 * @param rootClass the storage class of the root
 * @param rootOwnership whose the root is
 * @param tokenExpirationNs the life of a write token, and the delay of reclamation
 * @param datanodeTimeoutNs how long after its last heartbeat a datanode counts as dead
 * @param forgetAfterNs how long after its last heartbeat a datanode is given up, with all that it holds
 * @param limits how much datanodes may make the namenode keep
 * @param selection which datanode gives the next block
 * @param evicted top-level directories and tables whose oldest nodes are removed when the store is nearly full
 */
public record NamenodeSettings(
        String clusterId,
        long incarnation,
        int blockSizeBytes,
        int smallBlockBytes,
        int storageClasses,
        int rootClass,
        Ownership rootOwnership,
        long tokenExpirationNs,
        long datanodeTimeoutNs,
        long forgetAfterNs,
        RegistrationLimits limits,
        BlockSelection selection,
        List<String> evicted) {
    private static final int ROOT_PERMISSION = 0777;

    /** Takes the settings from a configuration, for a namenode that starts at a time in milliseconds since 1970. */
    public static NamenodeSettings of(CrailConfiguration conf, long startMs) throws ConfigurationException {
        return new NamenodeSettings(
                conf.get(CrailKeys.CLUSTER_ID),
                startMs,
                Math.toIntExact(conf.get(CrailKeys.BLOCK_SIZE)),
                Math.toIntExact(CrailKeys.smallBlockBytes(conf)),
                CrailKeys.storageClasses(conf),
                conf.get(CrailKeys.STORAGE_ROOTCLASS),
                rootOwnership(conf),
                conf.get(CrailKeys.TOKEN_EXPIRATION).toNanos(),
                conf.get(CrailKeys.STORAGE_KEEPALIVE).toNanos() * BlockStoreSettings.MISSED_HEARTBEATS,
                conf.get(CrailKeys.NAMENODE_FORGET).toNanos(),
                RegistrationLimits.of(
                        conf.get(CrailKeys.NAMENODE_DATANODES),
                        conf.get(CrailKeys.NAMENODE_REGIONS),
                        conf.get(CrailKeys.NAMENODE_DATANODE_REGIONS),
                        conf.get(CrailKeys.NAMENODE_BLOCKS),
                        conf.get(CrailKeys.NAMENODE_DATANODE_BLOCKS)),
                BlockSelection.of(conf.get(CrailKeys.NAMENODE_BLOCKSELECTION)),
                conf.get(CrailKeys.NAMENODE_EVICT));
    }

    /** Everybody may use the root. */
    private static Ownership rootOwnership(CrailConfiguration conf) throws ConfigurationException {
        String user = conf.get(CrailKeys.USER);
        return new Ownership(user, user, ROOT_PERMISSION);
    }
}
