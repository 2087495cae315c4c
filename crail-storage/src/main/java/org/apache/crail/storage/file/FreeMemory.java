/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory the system can still give. Stateless. */
final class FreeMemory {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";
    private static final int BYTES_PER_KIB = 1024;

    private FreeMemory() {}

    /** As the system estimates it, or a number without meaning, the largest, where it does not tell. */
    static long bytes() throws IOException {
        if (!Files.isReadable(MEMORY)) {
            return Long.MAX_VALUE;
        }
        for (String line : Files.readAllLines(MEMORY, StandardCharsets.US_ASCII)) {
            if (line.startsWith(AVAILABLE)) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * BYTES_PER_KIB;
            }
        }
        return Long.MAX_VALUE;
    }
}
