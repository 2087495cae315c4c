/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The longest pause of each collection of garbage, by the flight recorder's events, which all collectors write when a
 * collection ends; collections that the program asked for do not count, nor does what threads wait before a pause or
 * for memory. Not thread safe.
 */
final class CollectorPauses implements AutoCloseable {
    private static final String COLLECTION = "jdk.GarbageCollection";
    private static final String ASKED_FOR = "System.gc()";

    private final Recording recording = new Recording();

    private CollectorPauses() {
        recording.enable(COLLECTION).withoutThreshold();
        recording.start();
    }

    /** Begins to watch. */
    static CollectorPauses watch() {
        return new CollectorPauses();
    }

    /** Ends watching, and tells the longest pause of each collection; shortest first. */
    List<Duration> longest() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("crail-pauses", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> !ASKED_FOR.equals(event.getString("cause")))
                    .map(CollectorPauses::longestPause)
                    .sorted(Comparator.naturalOrder())
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    private static Duration longestPause(RecordedEvent collection) {
        return collection.getDuration("longestPause");
    }

    @Override
    public void close() {
        recording.close();
    }
}
