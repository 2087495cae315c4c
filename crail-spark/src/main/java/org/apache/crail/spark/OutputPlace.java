/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * Where the output of one attempt of a map task is: in a file of its own, or in a part of a file of several outputs.
 * Spark's driver knows it as the name of an executor that never was. Immutable.
 *
 * @param file its name in the directory of the shuffle
 * @param begin of the output in the file
 * @param bytes of the output; {@link #ALL} for a file of its own
 */
record OutputPlace(int shuffleId, long mapId, String file, long begin, long bytes) {
    /** More than any file has. */
    static final long ALL = 1L << 50;

    private static final String PREFIX = "crail";

    /** How many words a place in a file of several outputs has; the last one is the file. */
    private static final int WORDS = 6;

    /** A file of its own, whose name is the number of the attempt. */
    static OutputPlace ofFile(int shuffleId, long mapId) {
        return new OutputPlace(shuffleId, mapId, Long.toString(mapId), 0, ALL);
    }

    static boolean isLocation(BlockManagerId location) {
        return location != null && location.executorId().startsWith(PREFIX + "-");
    }

    /** What a location, as the driver knows it, says. */
    static OutputPlace of(BlockManagerId location) {
        String[] words = location.executorId().split("-", WORDS);
        int shuffleId = Integer.parseInt(words[1]);
        long mapId = Long.parseLong(words[2]);
        return words.length < WORDS
                ? ofFile(shuffleId, mapId)
                : new OutputPlace(shuffleId, mapId, words[5], Long.parseLong(words[3]), Long.parseLong(words[4]));
    }

    /** What the driver is to know, with the host of the writer. */
    BlockManagerId location(String host) {
        String id = PREFIX + "-" + shuffleId + "-" + mapId;
        return BlockManagerId.apply(
                isOwnFile() ? id : id + "-" + begin + "-" + bytes + "-" + file, host, 1, Option.empty());
    }

    private boolean isOwnFile() {
        return bytes == ALL;
    }

    /** Where the output ends in a file of so many bytes. */
    long end(long fileBytes) {
        return isOwnFile() ? fileBytes : begin + bytes;
    }
}
