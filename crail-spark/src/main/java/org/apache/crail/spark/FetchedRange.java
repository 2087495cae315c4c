/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/**
 * The bytes of a range, in memory or on their way there; or a stream, if they are too many. Not thread safe.
 *
 * @param index of its partitions alone: where they are in the output
 * @param bytes to be read when they are there
 * @param filled done when they are there
 * @param heldBytes how many are held in memory
 */
record FetchedRange(
        MapRange range, PartitionIndex index, InputStream bytes, CompletableFuture<Void> filled, long heldBytes) {
    /** The next bytes, which belong to partitions from {@code first} to before {@code end}. */
    BoundedStream partitions(int first, int end) {
        return new BoundedStream(bytes, index.offset(end) - index.offset(first));
    }

    /** Gives the memory back, as soon as nothing is read into it. */
    void release() {
        CompletableFuture<Void> ignored = filled.whenComplete((done, failure) -> {
            try {
                bytes.close();
            } catch (IOException e) {
                // its bytes are not wanted any more
            }
        });
    }
}
