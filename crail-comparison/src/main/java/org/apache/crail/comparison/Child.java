/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The process of a placement, which ends with this one, however that ends, and whose files are removed. Thread safe. */
final class Child implements AutoCloseable {
    private final Process process;
    private final List<Path> files;

    /**
     * Starts the process; what it prints goes where this one prints.
     *
     * @param files files and directories that are removed when it has ended
     */
    Child(List<String> command, List<Path> files) throws IOException {
        this.files = files;
        this.process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::endWithParent, "end-child"));
    }

    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    private void endWithParent() {
        try {
            close();
        } catch (IOException e) { // the last thing that this process does
            System.err.println("not everything has been removed: " + e);
        }
    }

    /** Ends the process if it has not ended; may be called again. */
    @Override
    public void close() throws IOException {
        try {
            Servers.end(process);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        for (Path file : files) {
            Servers.remove(file);
        }
    }
}
