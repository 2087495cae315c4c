/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value of {@code spark.plugins}: variables of {@link CrailBroadcast} go through Crail. With
 * {@code spark.crail.broadcast=true} all that Spark broadcasts does. What processes move from and to Crail is among
 * Spark's metrics. Thread safe.
 */
public final class CrailPlugin implements SparkPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(CrailPlugin.class);
    private static final String ALL = "spark.crail." + StoreSettings.BROADCAST;

    /** Called by Spark. */
    public CrailPlugin() {}

    @Override
    public DriverPlugin driverPlugin() {
        return new Driver();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new Executor();
    }

    private static void addMetrics(PluginContext context, SharedStore store) {
        try {
            StoreMetrics.register(context.metricRegistry(), store, StoreSettings.storageClasses(context.conf()));
        } catch (IOException e) {
            LOG.warn("Spark has no metrics of Crail", e);
        }
    }

    private static final class Driver implements DriverPlugin {
        private SharedStore store;
        private BroadcastTable table;

        @Override
        public Map<String, String> init(SparkContext spark, PluginContext context) {
            SparkConf conf = spark.conf();
            store = SharedStore.use(conf);
            if (conf.getBoolean("spark.io.encryption.enabled", false)) {
                LOG.warn("Broadcasts do not go through Crail, as spark.io.encryption.enabled=true asks for encryption");
                return Map.of();
            }
            table = new BroadcastTable(conf, store);
            if (conf.getBoolean(ALL, false)) {
                CrailBroadcastFactory.install(SparkEnv.get().broadcastManager(), table);
            }
            return Map.of();
        }

        @Override
        public void registerMetrics(String appId, PluginContext context) {
            addMetrics(context, store);
        }

        @Override
        public void shutdown() {
            if (table != null) {
                table.close();
            }
            store.leave();
        }
    }

    private static final class Executor implements ExecutorPlugin {
        private SharedStore store;

        @Override
        public void init(PluginContext context, Map<String, String> extraConf) {
            store = SharedStore.use(context.conf());
            addMetrics(context, store);
        }

        @Override
        public void shutdown() {
            store.leave();
        }
    }
}
