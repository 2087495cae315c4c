/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whoever started a server that it is ready: a file that the system property {@value #PROPERTY} names holds its
 * address while it is, and on a second line what it is. Without the property nothing happens. Used by one thread.
 */
final class ReadyFile implements AutoCloseable {
    static final String PROPERTY = "org.apache.crail.daemon.ready";

    private static final Logger LOG = LoggerFactory.getLogger(ReadyFile.class);

    private final Path file;

    private ReadyFile(Path file) {
        this.file = file;
    }

    /**
     * Writes the file, all at once.
     *
     * @param kind of server: namenode, datanode
     */
    static ReadyFile write(String address, String kind) throws IOException {
        String name = System.getProperty(PROPERTY);
        if (name == null) {
            return new ReadyFile(null);
        }
        Path file = Path.of(name);
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, address + "\n" + kind + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        return new ReadyFile(file);
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be removed", file, e);
        }
    }
}
