/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import org.apache.spark.shuffle.ShuffleHandle;

/** A shuffle that goes to Spark's own local files. Immutable. */
final class LocalHandle extends ShuffleHandle {
    private static final long serialVersionUID = 1L;

    private final ShuffleHandle ofSpark;

    LocalHandle(ShuffleHandle ofSpark) {
        super(ofSpark.shuffleId());
        this.ofSpark = ofSpark;
    }

    /** What Spark's own manager has made. */
    ShuffleHandle ofSpark() {
        return ofSpark;
    }
}
