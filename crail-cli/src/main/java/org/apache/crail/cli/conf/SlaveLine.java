/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.util.ArrayList;
import java.util.List;

/**
 * A datanode that is to run. Immutable.
 *
 * @param line in the file, from 1
 * @param tier name of the tier's class, or null for the first of {@code crail.storage.types}
 * @param storageClass of its blocks, or null for the tier's place in {@code crail.storage.types}
 * @param tierOptions that the tier takes
 */
record SlaveLine(int line, String host, String tier, Integer storageClass, List<String> tierOptions) {
    SlaveLine {
        tierOptions = List.copyOf(tierOptions);
    }

    /** The arguments of {@code crail} that run it. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add("datanode");
        if (tier != null) {
            arguments.addAll(List.of("-t", tier));
        }
        if (storageClass != null) {
            arguments.addAll(List.of("-c", storageClass.toString()));
        }
        if (!tierOptions.isEmpty()) {
            arguments.add("--");
            arguments.addAll(tierOptions);
        }
        return arguments;
    }
}
