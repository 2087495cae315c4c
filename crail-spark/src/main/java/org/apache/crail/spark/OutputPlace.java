/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * Where the output of one attempt of a map task is: a file of its own, or a part of a file of several outputs. Spark's
 * driver knows it as the name of an executor that never was. Immutable.
 *
 * @param file its name in the directory of the shuffle
 * @param begin of the output in the file
 * @param bytes of the output
 */
record OutputPlace(int shuffleId, long mapId, String file, long begin, long bytes) {
    private static final String PREFIX = "crail";

    /** How many words a location has; the last one is the file, which may have a hyphen. */
    private static final int WORDS = 6;

    static boolean isLocation(BlockManagerId location) {
        return location != null && location.executorId().startsWith(PREFIX + "-");
    }

    /** What a location, as the driver knows it, says. */
    static OutputPlace of(BlockManagerId location) {
        String[] words = location.executorId().split("-", WORDS);
        return new OutputPlace(
                Integer.parseInt(words[1]),
                Long.parseLong(words[2]),
                words[5],
                Long.parseLong(words[3]),
                Long.parseLong(words[4]));
    }

    /** What the driver is to know, with the host of the writer. */
    BlockManagerId location(String host) {
        String id = String.join("-", PREFIX, "" + shuffleId, "" + mapId, "" + begin, "" + bytes, file);
        return BlockManagerId.apply(id, host, 1, Option.empty());
    }

    /** Behind the last byte, in the file. */
    long end() {
        return begin + bytes;
    }
}
