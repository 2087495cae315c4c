/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.crail.error.CrailException;
import org.apache.spark.FetchFailed;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleStatus;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Finds in the driver which other outputs went with one that was not found. A failed fetch makes Spark run one map task
 * again, and a datanode may have held the outputs of hundreds; Spark gives a stage up after four attempts. So after
 * each such failure the namenode is asked about all outputs of the shuffle, and the lost ones are unregistered, before
 * or while Spark runs the first one again.
 *
 * <p>{@link CrailShuffleManager} adds it to the listeners of Spark, whose thread calls it.
 */
public final class LostOutputs extends SparkListener {
    private static final Logger LOG = LoggerFactory.getLogger(LostOutputs.class);
    private static final int MOST_IN_FLIGHT = 256;

    private final Set<Long> lostMapIds = new HashSet<>();

    private record Asked(int mapIndex, MapStatus status, Future<?> places) {}

    /** Called by Spark. */
    public LostOutputs(SparkConf conf) {}

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
        if (task.reason() instanceof FetchFailed failure
                && OutputPlace.isLocation(failure.bmAddress())
                && lostMapIds.add(failure.mapId())) {
            try {
                unregisterLost(failure.shuffleId());
            } catch (IOException e) {
                lostMapIds.remove(failure.mapId());
                LOG.warn("Cannot tell which outputs of shuffle {} are lost", failure.shuffleId(), e);
            }
        }
    }

    private void unregisterLost(int shuffleId) throws IOException {
        MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
        Option<ShuffleStatus> shuffle = tracker.shuffleStatuses().get(shuffleId);
        if (shuffle.isEmpty()) {
            return;
        }
        int before = lostMapIds.size();
        MapOutputs outputs = CrailShuffleManager.current().outputs();
        MapStatus[] statuses = shuffle.get().mapStatuses().clone();
        Deque<Asked> asked = new ArrayDeque<>();
        for (int i = 0; i < statuses.length; i++) {
            if (statuses[i] != null && OutputPlace.isLocation(statuses[i].location())) {
                asked.add(new Asked(i, statuses[i], outputs.places(OutputPlace.of(statuses[i].location()))));
            }
            if (asked.size() == MOST_IN_FLIGHT) {
                unregisterIfLost(tracker, shuffleId, asked.poll());
            }
        }
        for (Asked each : asked) {
            unregisterIfLost(tracker, shuffleId, each);
        }
        LOG.warn("Shuffle {}: {} more outputs are lost with one", shuffleId, lostMapIds.size() - before);
    }

    private void unregisterIfLost(MapOutputTrackerMaster tracker, int shuffleId, Asked asked) throws IOException {
        boolean isLost;
        try {
            isLost = StoreCalls.await("looking for lost outputs", asked::places) == null;
        } catch (CrailException e) {
            isLost = FetchFailures.of(e) == FetchFailures.LOST;
            if (!isLost) {
                throw e; // the namenode does not answer, and Spark's events wait
            }
        }
        if (isLost) {
            lostMapIds.add(asked.status.mapId());
            tracker.unregisterMapOutput(shuffleId, asked.mapIndex, asked.status.location());
        }
    }
}
