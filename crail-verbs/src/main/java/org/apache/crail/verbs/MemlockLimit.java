/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory a process may lock. Thread safe. */
final class MemlockLimit {
    private static final Pattern LIMIT = Pattern.compile("^Max locked memory\\s+(\\d+)", Pattern.MULTILINE);
    private static final Pattern CAPABILITIES = Pattern.compile("^CapEff:\\s*([0-9a-fA-F]+)", Pattern.MULTILINE);

    /** The capability CAP_IPC_LOCK, which lifts the limit. */
    private static final int MAY_LOCK = 14;

    private MemlockLimit() {}

    /**
     * The limit in bytes, {@code Long.MAX_VALUE} if there is none or it is not known.
     *
     * @param process the directory of the process in proc
     */
    static long ofProcess(Path process) {
        Matcher capabilities = CAPABILITIES.matcher(content(process.resolve("status")));
        if (capabilities.find() && (Long.parseUnsignedLong(capabilities.group(1), 16) >> MAY_LOCK & 1) == 1) {
            return Long.MAX_VALUE;
        }
        Matcher limit = LIMIT.matcher(content(process.resolve("limits")));
        return limit.find() ? Long.parseLong(limit.group(1)) : Long.MAX_VALUE;
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
