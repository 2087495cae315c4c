/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Tells from another process whether a file is locked. */
final class LockProbe {
    private static final int LOCKED = 10;

    private LockProbe() {}

    static boolean isLocked(Path file) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        Process process = new ProcessBuilder(
                        List.of(java, "-cp", classPath, LockProbe.class.getName(), file.toString()))
                .inheritIO()
                .start();
        return process.waitFor() == LOCKED;
    }

    public static void main(String[] args) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            System.exit(lock == null ? LOCKED : 0);
        }
    }
}
