/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Progress;

/** Copies local files into the store. {@link #tree} and {@link #stream} are called by one thread. */
final class Upload {
    private final NamespaceTree tree;
    private final CopyPool pool;
    private final Progress progress;
    private final InterimCopy copies;

    Upload(NamespaceTree tree, CopyPool pool, Progress progress, CopyOptions options) {
        this.tree = tree;
        this.pool = pool;
        this.progress = progress;
        this.copies = new InterimCopy(tree, options, progress);
    }

    /**
     * Copies a file, or a directory with all that is below, also behind links; files may still be on their way on
     * return. A link to a directory above itself fails.
     */
    void tree(Path local, CrailPath target) throws Exception {
        tree(local, target, Set.of());
    }

    /** Copies what is below the directories with the keys {@code above}. */
    private void tree(Path local, CrailPath target, Set<Object> above) throws Exception {
        if (Files.exists(local) && !Files.isDirectory(local) && !Files.isRegularFile(local)) {
            throw new IOException("local file " + local + " is neither a file nor a directory and is not copied");
        }
        if (!Files.isDirectory(local)) {
            progress.expect(Files.size(local));
            pool.submit(local.toString(), () -> file(local, target));
            return;
        }
        Set<Object> visiting = new HashSet<>(above);
        if (!visiting.add(key(local))) {
            throw new IOException("local file " + local + " is a link to a directory above it and is not copied");
        }
        tree.makeContainer(target, CrailNodeType.DIRECTORY, local.toString());
        try (DirectoryStream<Path> children = Files.newDirectoryStream(local)) {
            for (Path child : children) {
                pool.attempt(child.toString(), () -> tree(child, target.child(LocalNames.of(child)), visiting));
            }
        }
    }

    /** What tells a directory from all others, by whatever path it is reached. */
    private static Object key(Path directory) throws IOException {
        Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        return key == null ? directory.toRealPath() : key;
    }

    private void file(Path local, CrailPath target) throws Exception {
        try (FileChannel source = FileChannel.open(local)) {
            copies.copy(source, target, source.size());
        }
        progress.fileDone();
    }

    /** Copies all bytes of a channel. */
    void stream(ReadableByteChannel source, CrailPath target) throws Exception {
        copies.copy(source, target, 0);
    }
}
