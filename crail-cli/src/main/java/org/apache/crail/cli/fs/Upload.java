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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.cli.console.Progress;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.metadata.MoveMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies local files into the store. Each copy has a name of its own until it ends, so one that fails leaves no node
 * behind, and what others have stored at its path as it is. {@link #tree} and {@link #stream} are called by one thread.
 */
final class Upload {
    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);

    private final NamespaceTree tree;
    private final CopyPool pool;
    private final Progress progress;
    private final ChannelToFile writer;
    private final boolean force;
    private final Map<CrailPath, CrailNodeType> typesBelow = new ConcurrentHashMap<>();

    Upload(NamespaceTree tree, CopyPool pool, Progress progress, CopyOptions options) {
        this.tree = tree;
        this.pool = pool;
        this.progress = progress;
        this.writer = new ChannelToFile(tree.store(), options.slices(), progress);
        this.force = options.force();
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
        CrailNode directory = tree.find(target);
        if (directory == null) {
            CrailNode ignored = tree.create(target, CrailNodeType.DIRECTORY);
        } else if (!directory.getType().isContainer()) {
            throw new NodeExistsException(target + " is a " + NamespaceTree.label(directory.getType()) + ", and "
                    + local + " is a directory");
        }
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
            copy(source, target, source.size());
        }
    }

    /** Copies all bytes of a channel. */
    void stream(ReadableByteChannel source, CrailPath target) throws Exception {
        copy(source, target, 0);
    }

    private void copy(ReadableByteChannel source, CrailPath target, long sizeHint) throws Exception {
        CrailNodeType type = typeBelow(target.parent());
        boolean replacing = force || type.isKeyValue(); // of key-values, the last put wins
        CrailNode old = tree.find(target);
        if (old != null && !replacing) {
            throw exists(target, null);
        }
        if (old != null && old.getType().isContainer()) {
            throw new NodeExistsException(
                    target + " is a " + NamespaceTree.label(old.getType()) + " and is not replaced");
        }
        CrailPath unfinished = InterimName.beside(target);
        CrailNode node = tree.create(unfinished, type);
        boolean moved = false;
        try {
            writer.copy(source, NamespaceTree.file(node), sizeHint);
            move(unfinished, target, replacing ? MoveMode.REPLACE : MoveMode.EXACT);
            moved = true;
        } finally {
            if (!moved) {
                discard(unfinished);
            }
        }
    }

    /** Moves a finished copy to its path in one step, so that there is always either the old file or the new one. */
    private void move(CrailPath unfinished, CrailPath target, MoveMode mode) throws Exception {
        try {
            CrailNode ignored = NamespaceTree.outcome(
                    tree.store().namespace().move(unfinished.toString(), target.toString(), mode));
        } catch (ExecutionException e) {
            throw explained(e, unfinished, target);
        }
    }

    /** The store speaks of a name that its user has never seen. */
    private static Exception explained(ExecutionException failure, CrailPath unfinished, CrailPath target) {
        Throwable cause = FailureText.cause(failure);
        if (cause instanceof NodeExistsException) {
            return exists(target, cause);
        }
        if (cause instanceof NodeNotFoundException || cause instanceof ParentNotFoundException) {
            return new NodeNotFoundException(
                    target + " was not stored: " + unfinished
                            + ", its bytes, or the directory was deleted meanwhile; copy again",
                    cause);
        }
        return failure;
    }

    private static NodeExistsException exists(CrailPath target, Throwable cause) {
        return new NodeExistsException(target + " exists; choose another name, or use -f to replace it", cause);
    }

    /** Below a table there are key-values, everywhere else files. */
    private CrailNodeType typeBelow(CrailPath parent) throws Exception {
        CrailNodeType known = typesBelow.get(parent);
        if (known != null) {
            return known;
        }
        CrailNode node = tree.find(parent);
        if (node == null) {
            throw new ParentNotFoundException(parent + " does not exist; create it with crail fs -mkdir -p");
        }
        CrailNodeType type = node.getType().isTable() ? CrailNodeType.KEYVALUE : CrailNodeType.DATAFILE;
        typesBelow.put(parent, type);
        return type;
    }

    /** Deletes what a failed copy left, even if the copy was interrupted. */
    private void discard(CrailPath unfinished) {
        try {
            NamespaceTree.outcome(tree.store().delete(unfinished.toString(), false));
        } catch (Exception e) { // the API declares nothing narrower; why the copy failed is what the user must learn
            LOG.warn(
                    "{} holds part of a copy that failed, and could not be deleted: {}",
                    unfinished,
                    FailureText.line(e));
        }
    }
}
