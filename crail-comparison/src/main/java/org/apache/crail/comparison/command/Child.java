/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.comparison.Directories;
import org.apache.crail.comparison.Servers;

/**
 * The process of a placement and its directory. It is ended when this process is asked to end, and ends by itself when
 * its standard input does, since this process has been killed. Thread safe.
 */
final class Child implements AutoCloseable {
    /** Its servers get a part of that. */
    private static final long STOP_LIMIT_SECONDS = 60;

    private final Process process;
    private final Path directory;
    private boolean closed;

    /**
     * Starts the process; what it prints goes where this one prints.
     *
     * @param directory removed when it has ended
     */
    Child(List<String> command, Path directory) throws IOException {
        this.directory = directory;
        this.process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    Path directory() {
        return directory;
    }

    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    /** Ends the process if it has not ended. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        process.destroy();
        Servers.awaitEnd(process, System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_LIMIT_SECONDS));
        Directories.remove(directory);
    }
}
