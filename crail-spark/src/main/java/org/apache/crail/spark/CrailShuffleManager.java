/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.List;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.metadata.StoreCapacity;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The value of {@code spark.shuffle.manager}: shuffles go through Crail. Spark makes one for the driver, and one for
 * each executor. Spark's own manager has the writers where there is no {@link DirectShuffleWriter}; they write through
 * {@link CrailShuffleDataIO}. All methods are thread safe.
 */
public final class CrailShuffleManager implements ShuffleManager {
    private static final String IO_PLUGIN = "spark.shuffle.sort.io.plugin.class";
    private static final String LISTENERS = "spark.extraListeners";

    /** It keeps executors that hold outputs; none does. */
    private static final String TRACKING = "spark.dynamicAllocation.shuffleTracking.enabled";

    /** Each with what it would break. */
    private static final List<List<String>> MUST_BE_OFF = List.of(
            List.of("spark.shuffle.push.enabled", "outputs are not merged by Spark's shuffle services"),
            List.of("spark.shuffle.service.enabled", "outputs are in Crail, where they outlive executors anyway"),
            List.of("spark.executor.userClassPathFirst", "classes of the shuffle would be there twice"),
            List.of("spark.driver.userClassPathFirst", "classes of the shuffle would be there twice"),
            List.of("spark.shuffle.useOldFetchProtocol", "attempts of a map task would write the same file"));

    private static final String LOCAL_DISKS = "org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO";
    private static final int NEARLY_FULL_PERCENT = 90;
    private static final Logger LOG = LoggerFactory.getLogger(CrailShuffleManager.class);

    private final SparkConf conf;
    private final Fallback fallback;
    private final CrailStorageClass storageClass;
    private final int smallOutputBytes;
    private final boolean isDirect;
    private final SharedStore shared;

    /** Spark's own, whose writers write to Crail. */
    private final SortShuffleManager writers;

    /** Spark's own, for shuffles that go to local files; null until there is one. Guarded by this. */
    private SortShuffleManager local;

    /** Whether the application has no place in the store. */
    private volatile boolean isHomeless;

    /** Null until it is needed. Guarded by this. */
    private MapOutputs outputs;

    /**
     * Called by Spark.
     *
     * @throws IllegalArgumentException if a setting does not go with this shuffle; the message says what to set
     */
    public CrailShuffleManager(SparkConf conf, boolean isDriver) {
        for (List<String> setting : MUST_BE_OFF) {
            if (conf.getBoolean(setting.get(0), false)) {
                throw new IllegalArgumentException(getClass().getName() + " does not go with " + setting.get(0)
                        + "=true: " + setting.get(1) + "; set it to false");
            }
        }
        String plugin = conf.get(IO_PLUGIN, CrailShuffleDataIO.class.getName());
        if (!plugin.equals(CrailShuffleDataIO.class.getName())) {
            throw new IllegalArgumentException(getClass().getName() + " does not go with " + IO_PLUGIN + "=" + plugin
                    + ": outputs would go elsewhere than to Crail; do not set it");
        }
        this.conf = conf;
        this.fallback = Fallback.of(conf);
        this.storageClass = StoreSettings.storageClass(conf);
        this.smallOutputBytes = StoreSettings.smallOutputBytes(conf);
        this.isDirect = StoreSettings.isDirect(conf);
        conf.set(IO_PLUGIN, CrailShuffleDataIO.class.getName());
        if (isDriver) {
            String others = conf.get(LISTENERS, "");
            String own = LostOutputs.class.getName();
            conf.set(LISTENERS, others.isEmpty() ? own : others + "," + own);
            if (fallback == Fallback.NEVER) {
                conf.setIfMissing(TRACKING, "false");
            }
            StoreSettings.chooseDirectory(conf);
        }
        this.writers = new SortShuffleManager(conf);
        this.shared = SharedStore.use(conf);
    }

    /** That of this process. */
    static CrailShuffleManager current() {
        if (SparkEnv.get().shuffleManager() instanceof CrailShuffleManager own) {
            return own;
        }
        throw new IllegalStateException(CrailShuffleDataIO.class.getName() + " needs spark.shuffle.manager="
                + CrailShuffleManager.class.getName() + ", which reads what it writes");
    }

    /** The store of this process, which is open until the manager stops. */
    CrailStore store() throws IOException {
        return shared.open();
    }

    /** The outputs of this application's map tasks. */
    synchronized MapOutputs outputs() throws IOException {
        if (outputs == null) {
            outputs = new MapOutputs(store(), StoreSettings.directory(conf), storageClass);
        }
        return outputs;
    }

    /**
     * Makes what writes the output of an attempt of a map task. Not each of Spark's writers tells of a failure, so what
     * is not committed goes with the task.
     */
    MapOutputWriter newWriter(int shuffleId, long mapId, int partitions, TaskContext task) throws IOException {
        MapOutputWriter writer = new MapOutputWriter(outputs(), shuffleId, mapId, partitions, smallOutputBytes);
        TaskCompletionListener listener = ended -> writer.abortUnlessCommitted();
        task.addTaskCompletionListener(listener);
        return writer;
    }

    /** Takes the settings as they are then, with the number of the application. */
    private synchronized SortShuffleManager local() {
        if (local == null) {
            local = new SortShuffleManager(conf.clone().set(IO_PLUGIN, LOCAL_DISKS));
        }
        return local;
    }

    /** Makes the directory of the application, unless it can do without; to be called in the driver. */
    ApplicationDirectory createDirectory() {
        if (fallback == Fallback.ALWAYS) {
            isHomeless = true;
            return null;
        }
        try {
            return ApplicationDirectory.use(store(), StoreSettings.directory(conf));
        } catch (IOException e) {
            if (fallback == Fallback.NEVER) {
                throw new IllegalStateException(
                        "cannot make a directory for shuffles in Crail: " + e.getMessage()
                                + "; is spark.crail.namenode.address right?",
                        e);
            }
            isHomeless = true;
            LOG.warn("All shuffles go to local files, as Crail cannot be reached", e);
            return null;
        }
    }

    @Override
    public <K, V, C> ShuffleHandle registerShuffle(int shuffleId, ShuffleDependency<K, V, C> dependency) {
        return isLocal(shuffleId)
                ? new LocalHandle(local().registerShuffle(shuffleId, dependency))
                : writers.registerShuffle(shuffleId, dependency);
    }

    private boolean isLocal(int shuffleId) {
        if (isHomeless || fallback != Fallback.AUTO) {
            return isHomeless;
        }
        try {
            StoreCapacity capacity = StoreCalls.await(
                    "asking for the free space", () -> store().namespace().capacity());
            long usedBytes = capacity.totalBytes() - capacity.freeBytes() - capacity.pendingBytes();
            if (usedBytes * 100.0 < capacity.totalBytes() * (double) NEARLY_FULL_PERCENT) {
                return false;
            }
            LOG.warn(
                    "Shuffle {} goes to local files, as {} of {} bytes in Crail are used",
                    shuffleId,
                    usedBytes,
                    capacity.totalBytes());
        } catch (IOException e) {
            LOG.warn("Shuffle {} goes to local files, as Crail cannot be reached", shuffleId, e);
        }
        return true;
    }

    @Override
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        if (handle instanceof LocalHandle found) {
            return local().getWriter(found.ofSpark(), mapId, context, metrics);
        }
        try {
            if (isDirect && DirectShuffleWriter.serves(handle)) {
                @SuppressWarnings("unchecked") // as Spark's own does
                BaseShuffleHandle<K, V, ?> direct = (BaseShuffleHandle<K, V, ?>) handle;
                int partitions = direct.dependency().partitioner().numPartitions();
                MapOutputWriter output = newWriter(handle.shuffleId(), mapId, partitions, context);
                return new DirectShuffleWriter<>(outputs(), output, mapId, direct, context, metrics);
            }
            return new CrailShuffleWriter<>(
                    writers.getWriter(handle, mapId, context, metrics), outputs(), mapId, host());
        } catch (IOException e) {
            throw Unchecked.unchecked(e);
        }
    }

    @Override
    public <K, C> ShuffleReader<K, C> getReader(
            ShuffleHandle handle,
            int startMapIndex,
            int endMapIndex,
            int startPartition,
            int endPartition,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        if (handle instanceof LocalHandle found) {
            return local().getReader(
                            found.ofSpark(),
                            startMapIndex,
                            endMapIndex,
                            startPartition,
                            endPartition,
                            context,
                            metrics);
        }
        @SuppressWarnings("unchecked") // as Spark's own does
        BaseShuffleHandle<K, ?, C> base = (BaseShuffleHandle<K, ?, C>) handle;
        ReadPlan plan = new ReadPlan(handle.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition);
        return new CrailShuffleReader<>(this, base.dependency(), plan, context, metrics);
    }

    /** Forgets what is known of a shuffle; called in the driver and in all executors. */
    @Override
    public synchronized boolean unregisterShuffle(int shuffleId) {
        if (outputs != null) {
            outputs.forget(shuffleId);
        }
        boolean isDone = local == null || local.unregisterShuffle(shuffleId);
        return writers.unregisterShuffle(shuffleId) && isDone;
    }

    /** Spark casts it to what its own manager has. It finds the outputs in local files, whoever has written them. */
    @Override
    public ShuffleBlockResolver shuffleBlockResolver() {
        return writers.shuffleBlockResolver();
    }

    @Override
    public void stop() {
        writers.stop();
        synchronized (this) {
            if (local != null) {
                local.stop();
            }
        }
        shared.leave();
    }

    /** The host of this executor. */
    static String host() {
        return SparkEnv.get().blockManager().blockManagerId().host();
    }
}
