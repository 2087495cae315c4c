/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.apache.crail.comparison.peers.CrailPeer;

/** Finds out before anything is started what would make a comparison fail later. Stateless. */
final class ArgumentCheck {
    /** Of the path of a Unix domain socket, see crail.unixsocketpath. */
    private static final int MOST_SOCKET_BYTES = 106;

    /** The longest path of a socket below the directory: that of ours, with a random number of 20 digits. */
    private static final String LONGEST_SOCKET =
            "/" + CompareOptions.PREFIX + "12345678901234567890/data/sock-99/crail-123456789012345678.sock";

    private ArgumentCheck() {}

    /** Fails unless each name is known. */
    static void checkNames(String what, Collection<String> names, List<String> known) {
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no " + what + " " + name + "; there are " + String.join(", ", known));
            }
        }
    }

    /** Fails if a key is set by this program, so that a user's value would have no effect. */
    static void checkSettings(Collection<String> keys) {
        for (String key : keys) {
            if (CrailPeer.ownKeys().contains(key)) {
                throw new IllegalArgumentException(
                        "--conf " + key + " is set by the comparison itself; docs/benchmarks/method.md says to what");
            }
        }
    }

    /** Fails unless there can be a directory with so much data and with sockets. */
    static void checkDirectory(Path data, long neededMib) throws IOException {
        if (!Files.isDirectory(data) || !Files.isWritable(data)) {
            throw new IllegalArgumentException(
                    data + " is no directory that can be written; name another: --directory");
        }
        int bytes = (data.toRealPath() + LONGEST_SOCKET).getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_SOCKET_BYTES) {
            throw new IllegalArgumentException("--directory " + data + " is " + (bytes - MOST_SOCKET_BYTES)
                    + " bytes too long for the Unix domain sockets in it");
        }
        long usableMib = usableMib(data);
        if (usableMib < neededMib) {
            throw new IllegalArgumentException(data + " has " + usableMib + " MiB left, and up to " + neededMib
                    + " MiB are needed; compare fewer systems at once (--system) or name another: --directory");
        }
    }

    /** MiB that the file system of a directory has left; 0 if there is none. */
    static long usableMib(Path data) throws IOException {
        return Files.isDirectory(data) ? Files.getFileStore(data).getUsableSpace() >> 20 : 0;
    }

    /** Fails unless a file can be written, if one is wanted. */
    static void checkOutput(String option, Path file) {
        if (file == null) {
            return;
        }
        Path parent = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || parent == null || !Files.isWritable(Files.exists(file) ? file : parent)) {
            throw new IllegalArgumentException(
                    option + " " + file + " cannot be written; name a file in a directory that exists and is yours");
        }
    }
}
