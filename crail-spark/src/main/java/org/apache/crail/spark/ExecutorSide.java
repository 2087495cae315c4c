/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.api.ShuffleExecutorComponents;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.api.SingleSpillShuffleMapOutputWriter;

/** Makes the files that map tasks write. Thread safe. */
final class ExecutorSide implements ShuffleExecutorComponents {
    @Override
    public void initializeExecutor(String appId, String execId, Map<String, String> extraConfigs) {
        // the manager finds the directory among Spark's settings, as readers need it, too
    }

    @Override
    public ShuffleMapOutputWriter createMapOutputWriter(int shuffleId, long mapTaskId, int numPartitions)
            throws IOException {
        return newWriter(shuffleId, mapTaskId, numPartitions);
    }

    @Override
    public Optional<SingleSpillShuffleMapOutputWriter> createSingleFileMapOutputWriter(int shuffleId, long mapId) {
        return Optional.of((spill, lengths, checksums) ->
                newWriter(shuffleId, mapId, lengths.length).writeAll(spill, lengths));
    }

    private static MapOutputWriter newWriter(int shuffleId, long mapId, int partitions) throws IOException {
        return CrailShuffleManager.current().newWriter(shuffleId, mapId, partitions, TaskContext.get());
    }
}
