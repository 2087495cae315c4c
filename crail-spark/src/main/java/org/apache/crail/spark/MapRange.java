/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.spark.MapOutputTracker;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * Contiguous partitions of one map output, as the driver knows them. Immutable.
 *
 * @param plan what is read in all
 * @param location what the driver knows as the place of the output
 * @param mapId the attempt of the map task
 * @param mapIndex the number of the map task
 * @param filled the partitions of the plan that are not empty
 * @param roughBytes their size as the driver knows it, which is rounded
 */
record MapRange(ReadPlan plan, BlockManagerId location, long mapId, int mapIndex, BitSet filled, long roughBytes) {
    /**
     * What Spark's tracker knows of the outputs of a plan; those with empty partitions only are not among them. May ask
     * the driver.
     */
    static List<MapRange> of(ReadPlan plan) {
        MapOutputTracker tracker = SparkEnv.get().mapOutputTracker();
        Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> outputs =
                tracker.getMapSizesByExecutorId(
                        plan.shuffleId(), plan.startMap(), plan.endMap(), plan.startPartition(), plan.endPartition());
        List<MapRange> ranges = new ArrayList<>();
        while (outputs.hasNext()) {
            Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> output = outputs.next();
            ranges.add(of(plan, output._1(), output._2().iterator()));
        }
        return ranges;
    }

    /** Each location has one output. */
    private static MapRange of(
            ReadPlan plan, BlockManagerId location, Iterator<Tuple3<BlockId, Object, Object>> blocks) {
        BitSet filled = new BitSet();
        long bytes = 0;
        long mapId = 0;
        int mapIndex = 0;
        while (blocks.hasNext()) {
            Tuple3<BlockId, Object, Object> block = blocks.next();
            ShuffleBlockId id = (ShuffleBlockId) block._1();
            mapId = id.mapId();
            filled.set(id.reduceId());
            bytes += (Long) block._2();
            mapIndex = (Integer) block._3();
        }
        return new MapRange(plan, location, mapId, mapIndex, filled, bytes);
    }

    OutputPlace place() {
        return OutputPlace.of(location);
    }

    int firstPartition() {
        return filled.nextSetBit(0);
    }

    /** Behind the last one. */
    int endPartition() {
        return filled.length();
    }

    long position(PartitionIndex index) {
        return index.offset(firstPartition());
    }

    long bytes(PartitionIndex index) {
        return index.offset(endPartition()) - index.offset(firstPartition());
    }

    /** What of an index is needed to read the range. */
    PartitionIndex part(PartitionIndex index) {
        return index.part(firstPartition(), endPartition());
    }

    /** Fails unless the output has bytes in exactly those partitions in which the driver knows of some. */
    void check(PartitionIndex index) throws BrokenOutputException {
        for (int partition = plan.startPartition(); partition < plan.endPartition(); partition++) {
            boolean isFilled = index.length(partition) > 0;
            if (isFilled != filled.get(partition)) {
                throw new BrokenOutputException("map task " + mapIndex + " has told of "
                        + (isFilled ? "no bytes" : "bytes") + " in partition " + partition + ", its output has "
                        + index.length(partition));
            }
        }
    }

    /** Makes the driver run the map task again. To be thrown at once, as Spark remembers that it was made. */
    FetchFailedException failed(Throwable cause) {
        return new FetchFailedException(
                location,
                plan.shuffleId(),
                mapId,
                mapIndex,
                firstPartition(),
                "the output of map task " + mapIndex + " is lost: " + cause.getMessage(),
                cause);
    }
}
