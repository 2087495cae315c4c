/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.shuffle.api.ShuffleDataIO;
import org.apache.spark.shuffle.api.ShuffleDriverComponents;
import org.apache.spark.shuffle.api.ShuffleExecutorComponents;

/** What Spark's writers write through; {@link CrailShuffleManager} sets it. Thread safe. */
public final class CrailShuffleDataIO implements ShuffleDataIO {
    /** Called by Spark. */
    public CrailShuffleDataIO(SparkConf conf) {}

    @Override
    public ShuffleDriverComponents driver() {
        return new DriverSide();
    }

    @Override
    public ShuffleExecutorComponents executor() {
        return new ExecutorSide();
    }
}
