/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.rpc.message.HelloResponse;

/**
 * The values that a store runs with: those that the namenode tells, and the limits of its own configuration.
 *
 * @param blockSizeBytes size of a block
 * @param smallBlockBytes longest file or key-value that shares a block with others, 0 if none do
 * @param recordSizeBytes what the capacity of a container counts for a child that is listed
 * @param leaseNs how long a block location may be used after the sending of the request that confirmed it
 * @param rpcTimeoutMs limit of a metadata operation
 * @param dataTimeoutMs limit of a transfer
 */
public record ClusterSettings(
        int blockSizeBytes,
        int smallBlockBytes,
        int recordSizeBytes,
        long leaseNs,
        long rpcTimeoutMs,
        long dataTimeoutMs) {
    /**
     * Takes the namenode's values over into {@code conf}.
     *
     * @throws ConfigurationException if a key was set to another value on purpose, or the values do not fit the others
     */
    public static ClusterSettings adopt(CrailConfiguration conf, HelloResponse cluster) throws ConfigurationException {
        adopt(conf, CrailKeys.BLOCK_SIZE, (long) cluster.blockSizeBytes());
        adopt(conf, CrailKeys.TOKEN_EXPIRATION, Duration.ofMillis(cluster.tokenExpirationMs()));
        adoptStorageClasses(conf, cluster.storageClasses());
        conf.validate();
        return new ClusterSettings(
                cluster.blockSizeBytes(),
                cluster.smallBlockBytes(),
                conf.get(CrailKeys.DIRECTORY_RECORD),
                cluster.tokenExpirationMs() * 1_000_000L / 2,
                conf.get(CrailKeys.RPC_TIMEOUT).toMillis(),
                conf.get(CrailKeys.DATA_TIMEOUT).toMillis());
    }

    private static <T> void adopt(CrailConfiguration conf, ConfigKey<T> key, T value) throws ConfigurationException {
        if (conf.isSet(key) && !conf.get(key).equals(value)) {
            throw mismatch(conf, key, key.format(value));
        }
        conf.set(key, value);
    }

    private static void adoptStorageClasses(CrailConfiguration conf, int classes) throws ConfigurationException {
        if (conf.isSet(CrailKeys.STORAGE_CLASSES) && CrailKeys.storageClasses(conf) != classes) {
            throw mismatch(conf, CrailKeys.STORAGE_CLASSES, Integer.toString(classes));
        }
        conf.set(CrailKeys.STORAGE_CLASSES, classes);
    }

    private static ConfigurationException mismatch(CrailConfiguration conf, ConfigKey<?> key, String namenodeValue) {
        return new ConfigurationException("cannot open a store: " + key + " = " + conf.get(key.name()) + " ("
                + conf.origin(key.name()) + "), but the namenode of the cluster runs with " + namenodeValue
                + "; the value must be the same on all hosts, or not set on clients");
    }

    public long blockIndex(long position) {
        return position / blockSizeBytes;
    }

    /** How much longer than the limit a metadata operation may take that waits for blocks. */
    long reclaimingMs() {
        return TimeUnit.NANOSECONDS.toMillis(2 * leaseNs);
    }

    /** Longest time that an operation with one metadata call and one transfer takes; further attempts end here. */
    public long operationTimeoutMs() {
        return rpcTimeoutMs + dataTimeoutMs;
    }
}
