/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.List;
import org.apache.crail.error.ConfigurationException;

/**
 * Lists {@link CrailKeys} and {@link ElasticKeys} for {@link java.util.ServiceLoader} and checks that their values fit
 * each other. Immutable.
 */
public final class CrailKeyList implements ConfigKeys {
    private static final List<ConfigKey<?>> KEYS = List.of(
            CrailKeys.CLUSTER_ID,
            CrailKeys.BLOCK_SIZE,
            CrailKeys.SMALL_BLOCK_SIZE,
            CrailKeys.DIRECTORY_RECORD,
            CrailKeys.TOKEN_EXPIRATION,
            CrailKeys.DIRECTORY_DEPTH,
            CrailKeys.CACHE_LIMIT,
            CrailKeys.CACHE_PATH,
            CrailKeys.REGION_SIZE,
            CrailKeys.BUFFER_SIZE,
            CrailKeys.SLICE_SIZE,
            CrailKeys.CACHE_IMPL,
            CrailKeys.SINGLETON,
            CrailKeys.RPC_TIMEOUT,
            CrailKeys.DATA_TIMEOUT,
            CrailKeys.CONNECT_TIMEOUT,
            CrailKeys.DIRECTORY_RANDOMIZE,
            CrailKeys.USER,
            CrailKeys.SHADOW_REPLICATION,
            CrailKeys.IDLE_STRATEGY,
            CrailKeys.LOCATION_MAP,
            CrailKeys.STATISTICS,
            CrailKeys.DEBUG,
            CrailKeys.NAMENODE_ADDRESS,
            CrailKeys.NAMENODE_BIND,
            CrailKeys.NAMENODE_BLOCKSELECTION,
            CrailKeys.NAMENODE_HEAP_LIMIT,
            CrailKeys.NAMENODE_EVICT,
            CrailKeys.NAMENODE_FILEBLOCKS,
            CrailKeys.NAMENODE_RPC_TYPE,
            CrailKeys.NAMENODE_RPC_SERVICE,
            CrailKeys.NAMENODE_REPLY_MEMORY,
            CrailKeys.NAMENODE_LOG,
            CrailKeys.NAMENODE_DATANODES,
            CrailKeys.NAMENODE_FORGET,
            CrailKeys.NAMENODE_REGIONS,
            CrailKeys.NAMENODE_DATANODE_REGIONS,
            CrailKeys.NAMENODE_BLOCKS,
            CrailKeys.NAMENODE_DATANODE_BLOCKS,
            CrailKeys.STORAGE_TYPES,
            CrailKeys.STORAGE_CLASSES,
            CrailKeys.STORAGE_ROOTCLASS,
            CrailKeys.STORAGE_KEEPALIVE,
            CrailKeys.DATANODE_CONNECT_LIMIT,
            CrailKeys.DATANODE_HOST,
            CrailKeys.DATANODE_BIND,
            ElasticKeys.ELASTICSTORE_SCALEUP,
            ElasticKeys.ELASTICSTORE_SCALEDOWN,
            ElasticKeys.ELASTICSTORE_MINNODES,
            ElasticKeys.ELASTICSTORE_MAXNODES,
            ElasticKeys.ELASTICSTORE_POLICYRUNNER_INTERVAL,
            ElasticKeys.ELASTICSTORE_LOGGING);

    @Override
    public List<ConfigKey<?>> keys() {
        return KEYS;
    }

    @Override
    public void verify(CrailConfiguration conf) throws ConfigurationException {
        requireSmallBlocks(conf.get(CrailKeys.SMALL_BLOCK_SIZE));
        int buffer = conf.get(CrailKeys.BUFFER_SIZE);
        int slice = conf.get(CrailKeys.SLICE_SIZE);
        if (Math.max(buffer, slice) % Math.min(buffer, slice) != 0) {
            throw new ConfigurationException(CrailKeys.BUFFER_SIZE + " = " + buffer + " and " + CrailKeys.SLICE_SIZE
                    + " = " + slice + " do not fit: one must be a multiple of the other");
        }
        int rootClass = conf.get(CrailKeys.STORAGE_ROOTCLASS);
        if (rootClass >= CrailKeys.storageClasses(conf)) {
            throw new ConfigurationException(
                    CrailKeys.STORAGE_ROOTCLASS + " = " + rootClass + " does not exist: there are "
                            + CrailKeys.storageClasses(conf) + " storage classes, see " + CrailKeys.STORAGE_CLASSES);
        }
    }

    private static void requireSmallBlocks(long bytes) throws ConfigurationException {
        if (bytes % CrailKeys.SMALL_BLOCK_UNIT != 0) {
            throw new ConfigurationException(CrailKeys.SMALL_BLOCK_SIZE + " = " + bytes + " does not fit: it must be a"
                    + " multiple of " + CrailKeys.SMALL_BLOCK_UNIT + ", or 0");
        }
    }
}
