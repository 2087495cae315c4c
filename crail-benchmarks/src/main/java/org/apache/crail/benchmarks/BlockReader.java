/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.concurrent.Future;

/** Reads a block, or a part of it, again and again. Not thread safe. */
interface BlockReader {
    /** The most reads that may be in flight. */
    int MOST_IN_FLIGHT = 16;

    /**
     * Reads so often, and returns when all has been read.
     *
     * @param inFlight so many reads, at most, are in flight; at most {@link #MOST_IN_FLIGHT}
     */
    void read(int reads, int inFlight) throws Exception;

    /** Begins a read that uses the buffer with that number. */
    interface Start {
        Future<?> read(int buffer) throws Exception;
    }

    /** A reader that waits for the oldest of its reads before it begins another. */
    static BlockReader of(Start start) {
        Future<?>[] running = new Future<?>[MOST_IN_FLIGHT];
        return (reads, inFlight) -> {
            for (int i = 0; i < reads + inFlight; i++) {
                int buffer = i % inFlight;
                if (i >= inFlight) {
                    running[buffer].get();
                }
                if (i < reads) {
                    running[buffer] = start.read(buffer);
                }
            }
        };
    }
}
