/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.crail.cli.console.Progress;
import org.apache.crail.metadata.NodeStatus;

/**
 * Copies files out of the store. Bytes go to a file with another name first, so that a copy that fails leaves what was
 * there. {@link #tree} is called by one thread.
 */
final class Download {
    private static final CopyOption[] REPLACE = {StandardCopyOption.ATOMIC_MOVE}; // there is a file at every moment
    private static final CopyOption[] KEEP = {};

    private final CopyPool pool;
    private final Progress progress;
    private final CopyOptions options;

    Download(CopyPool pool, Progress progress, CopyOptions options) {
        this.pool = pool;
        this.progress = progress;
        this.options = options;
    }

    /** Copies a file, or a container with all that is below; files may still be on their way on return. */
    void tree(RemotePath path, NodeStatus status, Path local) throws Exception {
        if (!status.file().getType().isContainer()) {
            progress.expect(status.file().getCapacity());
            pool.submit(path.toString(), () -> file(path, local));
            return;
        }
        Files.createDirectories(local);
        for (NodeStatus child : path.tree().statuses(path.path())) {
            RemotePath below = path.child(child.name());
            pool.attempt(below.toString(), () -> tree(below, child, LocalNames.resolve(local, child.name())));
        }
    }

    private void file(RemotePath path, Path local) throws Exception {
        if (Files.isDirectory(local) || (!options.force() && Files.exists(local))) {
            throw new FileAlreadyExistsException(local.toString());
        }
        Path unfinished = InterimName.beside(local);
        try {
            try (FileChannel target = create(unfinished, local)) {
                new FileToChannel(path.tree().store(), options.slices(), progress)
                        .copy(NamespaceTree.file(path.require()), 0, target);
            }
            Files.move(unfinished, local, options.force() ? REPLACE : KEEP);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        progress.fileDone();
    }

    /** Opens a new file that is to become {@code local}. */
    static FileChannel create(Path unfinished, Path local) throws IOException {
        try {
            return FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileSystemException e) {
            throw new IOException(
                    "local file " + local + " cannot be created in "
                            + local.toAbsolutePath().getParent()
                            + "; check that this user may write there, or choose another path",
                    e);
        }
    }
}
