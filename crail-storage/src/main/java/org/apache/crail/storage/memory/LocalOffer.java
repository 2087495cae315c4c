/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.nio.file.Path;
import java.util.UUID;

/**
 * What a datanode tells a client on its host, so that it can find the files of its regions. Immutable.
 *
 * @param directory where the files are, as the datanode sees it
 * @param token that the files there must hold
 * @param firstKey key of the first region; the others follow
 */
public record LocalOffer(Path directory, UUID token, int firstKey) {
    Path region(int index) {
        return directory.resolve(DataDirectory.REGION_PREFIX + index);
    }
}
