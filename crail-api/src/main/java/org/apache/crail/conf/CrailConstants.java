/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.io.IOException;
import java.time.Duration;
import org.apache.crail.error.ConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings as programs written for Crail 1.x read them: as public fields. They show the configuration that {@link
 * #updateConstants} was last called with, which {@code CrailStore.newInstance} does for each store that it opens; with
 * two stores in a JVM they tell of one only. Nothing in Crail reads them: use {@link CrailConfiguration#get(ConfigKey)}
 * instead. Writing them has no effect. Not thread safe.
 */
public class CrailConstants {
    private static final Logger LOG = LoggerFactory.getLogger(CrailConstants.class);

    public static final String VERSION_KEY = "crail.version";
    public static int VERSION = 4000;
    public static final String DIRECTORY_DEPTH_KEY = "crail.directorydepth";
    public static int DIRECTORY_DEPTH = 16;
    public static final String TOKEN_EXPIRATION_KEY = "crail.tokenexpiration";
    public static long TOKEN_EXPIRATION = 10;
    public static final String BLOCK_SIZE_KEY = "crail.blocksize";
    public static long BLOCK_SIZE = 1048576;
    public static final String CACHE_LIMIT_KEY = "crail.cachelimit";
    public static long CACHE_LIMIT = 1073741824;
    public static final String CACHE_PATH_KEY = "crail.cachepath";
    public static String CACHE_PATH = "";
    public static final String USER_KEY = "crail.user";
    public static String USER = "crail";
    public static final String SHADOW_REPLICATION_KEY = "crail.shadowreplication";
    public static int SHADOW_REPLICATION = 1;
    public static final String DEBUG_KEY = "crail.debug";
    public static boolean DEBUG = false;
    public static final String STATISTICS_KEY = "crail.statistics";
    public static boolean STATISTICS = true;
    public static final String RPC_TIMEOUT_KEY = "crail.rpctimeout";
    public static int RPC_TIMEOUT = 10_000;
    public static final String DATA_TIMEOUT_KEY = "crail.datatimeout";
    public static int DATA_TIMEOUT = 30_000;
    public static final String BUFFER_SIZE_KEY = "crail.buffersize";
    public static int BUFFER_SIZE = 1048576;
    public static final String SLICE_SIZE_KEY = "crail.slicesize";
    public static int SLICE_SIZE = 524288;
    public static final String SINGLETON_KEY = "crail.singleton";
    public static boolean SINGLETON = true;
    public static final String REGION_SIZE_KEY = "crail.regionsize";
    public static long REGION_SIZE = 1073741824;
    public static final String DIRECTORY_RECORD_KEY = "crail.directoryrecord";
    public static int DIRECTORY_RECORD = 512;
    public static final String DIRECTORY_RANDOMIZE_KEY = "crail.directoryrandomize";
    public static boolean DIRECTORY_RANDOMIZE = true;
    public static final String CACHE_IMPL_KEY = "crail.cacheimpl";
    public static String CACHE_IMPL = "org.apache.crail.memory.MappedBufferCache";
    public static final String LOCATION_MAP_KEY = "crail.locationmap";
    public static String LOCATION_MAP = "";
    public static final String NAMENODE_ADDRESS_KEY = "crail.namenode.address";
    public static String NAMENODE_ADDRESS = "crail://localhost:9060";
    public static final String NAMENODE_FILEBLOCKS_KEY = "crail.namenode.fileblocks";
    public static int NAMENODE_FILEBLOCKS = 16;
    public static final String NAMENODE_BLOCKSELECTION_KEY = "crail.namenode.blockselection";
    public static String NAMENODE_BLOCKSELECTION = "roundrobin";
    public static final String NAMENODE_RPC_TYPE_KEY = "crail.namenode.rpctype";
    public static String NAMENODE_RPC_TYPE = "org.apache.crail.namenode.rpc.tcp.TcpNameNode";
    public static final String NAMENODE_RPC_SERVICE_KEY = "crail.namenode.rpcservice";
    public static String NAMENODE_RPC_SERVICE = "org.apache.crail.namenode.NameNodeService";
    public static final String NAMENODE_LOG_KEY = "crail.namenode.log";
    public static String NAMENODE_LOG = "";
    public static final String STORAGE_TYPES_KEY = "crail.storage.types";
    public static String STORAGE_TYPES = "org.apache.crail.storage.tcp.TcpStorageTier";
    public static final String STORAGE_CLASSES_KEY = "crail.storage.classes";
    public static int STORAGE_CLASSES = 1;
    public static final String STORAGE_ROOTCLASS_KEY = "crail.storage.rootclass";
    public static int STORAGE_ROOTCLASS = 0;
    public static final String STORAGE_KEEPALIVE_KEY = "crail.storage.keepalive";
    public static int STORAGE_KEEPALIVE = 2;
    public static final String ELASTICSTORE_SCALEUP_KEY = "crail.elasticstore.scaleup";
    public static double ELASTICSTORE_SCALEUP = 0.4;
    public static final String ELASTICSTORE_SCALEDOWN_KEY = "crail.elasticstore.scaledown";
    public static double ELASTICSTORE_SCALEDOWN = 0.1;
    public static final String ELASTICSTORE_MINNODES_KEY = "crail.elasticstore.minnodes";
    public static int ELASTICSTORE_MINNODES = 1;
    public static final String ELASTICSTORE_MAXNODES_KEY = "crail.elasticstore.maxnodes";
    public static int ELASTICSTORE_MAXNODES = 10;
    public static final String ELASTICSTORE_POLICYRUNNER_INTERVAL_KEY = "crail.elasticstore.policyrunner.interval";
    public static int ELASTICSTORE_POLICYRUNNER_INTERVAL = 1000;
    public static final String ELASTICSTORE_LOGGING_KEY = "crail.elasticstore.logging";
    public static boolean ELASTICSTORE_LOGGING = false;

    public CrailConstants() {}

    /**
     * Sets the fields to the values of {@code conf}.
     *
     * @throws IllegalArgumentException if a value is ill-typed or out of range; names the key
     */
    public static void updateConstants(CrailConfiguration conf) {
        try {
            update(conf);
        } catch (ConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static void update(CrailConfiguration conf) throws ConfigurationException {
        DIRECTORY_DEPTH = conf.get(CrailKeys.DIRECTORY_DEPTH);
        TOKEN_EXPIRATION = seconds(conf.get(CrailKeys.TOKEN_EXPIRATION));
        BLOCK_SIZE = conf.get(CrailKeys.BLOCK_SIZE);
        CACHE_LIMIT = conf.get(CrailKeys.CACHE_LIMIT);
        CACHE_PATH = conf.get(CrailKeys.CACHE_PATH);
        USER = conf.get(CrailKeys.USER);
        SHADOW_REPLICATION = conf.get(CrailKeys.SHADOW_REPLICATION);
        DEBUG = conf.get(CrailKeys.DEBUG);
        STATISTICS = conf.get(CrailKeys.STATISTICS);
        RPC_TIMEOUT = millis(conf.get(CrailKeys.RPC_TIMEOUT));
        DATA_TIMEOUT = millis(conf.get(CrailKeys.DATA_TIMEOUT));
        BUFFER_SIZE = conf.get(CrailKeys.BUFFER_SIZE);
        SLICE_SIZE = conf.get(CrailKeys.SLICE_SIZE);
        SINGLETON = conf.get(CrailKeys.SINGLETON);
        REGION_SIZE = conf.get(CrailKeys.REGION_SIZE);
        DIRECTORY_RECORD = conf.get(CrailKeys.DIRECTORY_RECORD);
        DIRECTORY_RANDOMIZE = conf.get(CrailKeys.DIRECTORY_RANDOMIZE);
        CACHE_IMPL = conf.get(CrailKeys.CACHE_IMPL);
        LOCATION_MAP = conf.get(CrailKeys.LOCATION_MAP);
        NAMENODE_ADDRESS = CrailKeys.NAMENODE_ADDRESS.format(conf.get(CrailKeys.NAMENODE_ADDRESS));
        NAMENODE_FILEBLOCKS = conf.get(CrailKeys.NAMENODE_FILEBLOCKS);
        NAMENODE_BLOCKSELECTION = conf.get(CrailKeys.NAMENODE_BLOCKSELECTION);
        NAMENODE_RPC_TYPE = conf.get(CrailKeys.NAMENODE_RPC_TYPE);
        NAMENODE_RPC_SERVICE = conf.get(CrailKeys.NAMENODE_RPC_SERVICE);
        NAMENODE_LOG = conf.get(CrailKeys.NAMENODE_LOG);
        STORAGE_TYPES = CrailKeys.STORAGE_TYPES.format(conf.get(CrailKeys.STORAGE_TYPES));
        STORAGE_CLASSES = CrailKeys.storageClasses(conf);
        STORAGE_ROOTCLASS = conf.get(CrailKeys.STORAGE_ROOTCLASS);
        STORAGE_KEEPALIVE = Math.toIntExact(seconds(conf.get(CrailKeys.STORAGE_KEEPALIVE)));
        ELASTICSTORE_SCALEUP = conf.get(ElasticKeys.ELASTICSTORE_SCALEUP);
        ELASTICSTORE_SCALEDOWN = conf.get(ElasticKeys.ELASTICSTORE_SCALEDOWN);
        ELASTICSTORE_MINNODES = conf.get(ElasticKeys.ELASTICSTORE_MINNODES);
        ELASTICSTORE_MAXNODES = conf.get(ElasticKeys.ELASTICSTORE_MAXNODES);
        ELASTICSTORE_POLICYRUNNER_INTERVAL = millis(conf.get(ElasticKeys.ELASTICSTORE_POLICYRUNNER_INTERVAL));
        ELASTICSTORE_LOGGING = conf.get(ElasticKeys.ELASTICSTORE_LOGGING);
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }

    /** Whole seconds, rounded up, so that a short duration does not become none. */
    private static long seconds(Duration duration) {
        return duration.plusMillis(999).toSeconds();
    }

    /** Logs all fields at level INFO. */
    public static void printConf() {
        LOG.info("{} {}", VERSION_KEY, VERSION);
        LOG.info("{} {}", DIRECTORY_DEPTH_KEY, DIRECTORY_DEPTH);
        LOG.info("{} {}", TOKEN_EXPIRATION_KEY, TOKEN_EXPIRATION);
        LOG.info("{} {}", BLOCK_SIZE_KEY, BLOCK_SIZE);
        LOG.info("{} {}", CACHE_LIMIT_KEY, CACHE_LIMIT);
        LOG.info("{} {}", CACHE_PATH_KEY, CACHE_PATH);
        LOG.info("{} {}", USER_KEY, USER);
        LOG.info("{} {}", SHADOW_REPLICATION_KEY, SHADOW_REPLICATION);
        LOG.info("{} {}", DEBUG_KEY, DEBUG);
        LOG.info("{} {}", STATISTICS_KEY, STATISTICS);
        LOG.info("{} {}", RPC_TIMEOUT_KEY, RPC_TIMEOUT);
        LOG.info("{} {}", DATA_TIMEOUT_KEY, DATA_TIMEOUT);
        LOG.info("{} {}", BUFFER_SIZE_KEY, BUFFER_SIZE);
        LOG.info("{} {}", SLICE_SIZE_KEY, SLICE_SIZE);
        LOG.info("{} {}", SINGLETON_KEY, SINGLETON);
        LOG.info("{} {}", REGION_SIZE_KEY, REGION_SIZE);
        LOG.info("{} {}", DIRECTORY_RECORD_KEY, DIRECTORY_RECORD);
        LOG.info("{} {}", DIRECTORY_RANDOMIZE_KEY, DIRECTORY_RANDOMIZE);
        LOG.info("{} {}", CACHE_IMPL_KEY, CACHE_IMPL);
        LOG.info("{} {}", LOCATION_MAP_KEY, LOCATION_MAP);
        LOG.info("{} {}", NAMENODE_ADDRESS_KEY, NAMENODE_ADDRESS);
        LOG.info("{} {}", NAMENODE_FILEBLOCKS_KEY, NAMENODE_FILEBLOCKS);
        LOG.info("{} {}", NAMENODE_BLOCKSELECTION_KEY, NAMENODE_BLOCKSELECTION);
        LOG.info("{} {}", NAMENODE_RPC_TYPE_KEY, NAMENODE_RPC_TYPE);
        LOG.info("{} {}", NAMENODE_RPC_SERVICE_KEY, NAMENODE_RPC_SERVICE);
        LOG.info("{} {}", NAMENODE_LOG_KEY, NAMENODE_LOG);
        LOG.info("{} {}", STORAGE_TYPES_KEY, STORAGE_TYPES);
        LOG.info("{} {}", STORAGE_CLASSES_KEY, STORAGE_CLASSES);
        LOG.info("{} {}", STORAGE_ROOTCLASS_KEY, STORAGE_ROOTCLASS);
        LOG.info("{} {}", STORAGE_KEEPALIVE_KEY, STORAGE_KEEPALIVE);
        LOG.info("{} {}", ELASTICSTORE_SCALEUP_KEY, ELASTICSTORE_SCALEUP);
        LOG.info("{} {}", ELASTICSTORE_SCALEDOWN_KEY, ELASTICSTORE_SCALEDOWN);
        LOG.info("{} {}", ELASTICSTORE_MINNODES_KEY, ELASTICSTORE_MINNODES);
        LOG.info("{} {}", ELASTICSTORE_MAXNODES_KEY, ELASTICSTORE_MAXNODES);
        LOG.info("{} {}", ELASTICSTORE_POLICYRUNNER_INTERVAL_KEY, ELASTICSTORE_POLICYRUNNER_INTERVAL);
        LOG.info("{} {}", ELASTICSTORE_LOGGING_KEY, ELASTICSTORE_LOGGING);
    }

    /**
     * Checks that the fields fit each other.
     *
     * @throws IOException naming the keys and values that do not
     */
    public static void verify() throws IOException {
        if (BUFFER_SIZE % DIRECTORY_RECORD != 0) {
            throw misfit(BUFFER_SIZE_KEY, BUFFER_SIZE, DIRECTORY_RECORD_KEY, DIRECTORY_RECORD);
        }
        if (Math.max(BUFFER_SIZE, SLICE_SIZE) % Math.min(BUFFER_SIZE, SLICE_SIZE) != 0) {
            throw misfit(BUFFER_SIZE_KEY, BUFFER_SIZE, SLICE_SIZE_KEY, SLICE_SIZE);
        }
        int types = STORAGE_TYPES.split(",", -1).length;
        if (STORAGE_CLASSES < types) {
            throw misfit(STORAGE_CLASSES_KEY, STORAGE_CLASSES, STORAGE_TYPES_KEY, types);
        }
    }

    private static IOException misfit(String key, long value, String otherKey, long otherValue) {
        return new ConfigurationException(key + " = " + value + " does not fit " + otherKey + " = " + otherValue
                + "; see both keys in docs/configuration.md");
    }
}
