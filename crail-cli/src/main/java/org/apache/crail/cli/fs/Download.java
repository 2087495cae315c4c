/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Progress;

/**
 * Copies files out of the store. Bytes go to a file with another name first, so that a copy that fails leaves what was
 * there. {@link #tree} is called by one thread.
 */
final class Download {
    private static final CopyOption[] REPLACE = {StandardCopyOption.ATOMIC_MOVE}; // there is a file at every moment
    private static final CopyOption[] KEEP = {};

    private final NamespaceTree tree;
    private final CopyPool pool;
    private final Progress progress;
    private final FileToChannel reader;
    private final boolean force;

    Download(NamespaceTree tree, CopyPool pool, Progress progress, CopyOptions options) {
        this.tree = tree;
        this.pool = pool;
        this.progress = progress;
        this.reader = new FileToChannel(tree.store(), options.slices(), progress);
        this.force = options.force();
    }

    /** Copies a file, or a container with all that is below; files may still be on their way on return. */
    void tree(CrailNode node, Path local) throws Exception {
        if (!node.getType().isContainer()) {
            progress.expect(node.getCapacity());
            pool.submit(node.getPath(), () -> file(node, local));
            return;
        }
        Files.createDirectories(local);
        for (CrailNode child : tree.children(node)) {
            String name = CrailPath.parse(child.getPath()).name();
            pool.attempt(child.getPath(), () -> tree(child, LocalNames.resolve(local, name)));
        }
    }

    private void file(CrailNode node, Path local) throws Exception {
        if (Files.isDirectory(local) || (!force && Files.exists(local))) {
            throw new FileAlreadyExistsException(local.toString());
        }
        Path unfinished = InterimName.beside(local);
        try {
            try (FileChannel target =
                    FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                reader.copy(NamespaceTree.file(node), 0, target);
            }
            Files.move(unfinished, local, force ? REPLACE : KEEP);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
