/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * What a client on a datanode's host needs to find the files of its regions. Immutable.
 *
 * @param directory where the files are, as the datanode sees it
 * @param token that the fence files there must hold
 */
public record LocalOffer(Path directory, UUID token) {
    /** The file of the region with this key. */
    Path region(int key) throws IOException {
        for (Path file : DataDirectory.fences(directory)) {
            Optional<FenceFile.Head> head = FenceFile.head(file);
            if (head.isPresent()
                    && head.get().key() == key
                    && token.equals(head.get().token())) {
                return head.get().region();
            }
        }
        throw new IOException("no file in " + directory + " is that of region " + Integer.toUnsignedString(key));
    }
}
