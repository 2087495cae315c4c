/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.Failures;
import org.apache.crail.cli.Progress;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.ParentNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies local files into the store. Each copy has a name of its own until it ends, so one that fails leaves no node
 * behind, and what others have stored at its path as it is. {@link #tree} and {@link #stream} are called by one thread.
 */
final class Upload {
    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);
    private static final int MOVES = 100;

    private final Tree tree;
    private final CopyPool pool;
    private final Progress progress;
    private final SliceWriter writer;
    private final boolean force;
    private final Map<CrailPath, CrailNodeType> typesBelow = new ConcurrentHashMap<>();

    Upload(Tree tree, CopyPool pool, Progress progress, CopyOptions options) {
        this.tree = tree;
        this.pool = pool;
        this.progress = progress;
        this.writer = new SliceWriter(tree.store(), options.slices(), progress);
        this.force = options.force();
    }

    /** Copies a file, or a directory with all that is below; files may still be on their way on return. */
    void tree(Path local, CrailPath target) throws Exception {
        if (Files.exists(local) && !Files.isDirectory(local) && !Files.isRegularFile(local)) {
            throw new IOException("local file " + local + " is neither a file nor a directory and is not copied");
        }
        if (!Files.isDirectory(local)) {
            progress.expect(Files.size(local));
            pool.submit(local.toString(), () -> file(local, target));
            return;
        }
        CrailNode directory = tree.find(target);
        if (directory == null) {
            tree.create(target, CrailNodeType.DIRECTORY).syncDir();
        } else if (!directory.getType().isContainer()) {
            throw new NodeExistsException(
                    target + " is a " + Tree.label(directory.getType()) + ", and " + local + " is a directory");
        }
        try (DirectoryStream<Path> children = Files.newDirectoryStream(local)) {
            for (Path child : children) {
                pool.attempt(
                        child.toString(),
                        () -> tree(child, target.child(child.getFileName().toString())));
            }
        }
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
            throw exists(target);
        }
        if (old != null && old.getType().isContainer()) {
            throw new NodeExistsException(target + " is a " + Tree.label(old.getType()) + " and is not replaced");
        }
        CrailPath unfinished = target.parent().child(CopyOptions.unfinished());
        write(source, unfinished, type, sizeHint);
        if (replacing) {
            replace(unfinished, target);
        } else {
            place(unfinished, target);
        }
    }

    /** Moves a finished copy to its path, unless somebody else has taken that meanwhile. */
    private void place(CrailPath unfinished, CrailPath target) throws Exception {
        CrailNode moved;
        try {
            moved = Tree.outcome(tree.store().rename(unfinished.toString(), target.toString()));
            if (moved == null) {
                throw tree.find(target) != null
                        ? exists(target)
                        : new NodeNotFoundException(target + " was not stored: " + unfinished
                                + ", its bytes, or the directory was deleted meanwhile; copy again");
            }
        } catch (Exception e) { // any way in which the API fails
            discard(unfinished.toString(), e);
            throw e;
        }
        if (!moved.getPath().equals(target.toString())) { // it became a directory meanwhile, which took the copy in
            NodeExistsException exists = exists(target);
            discard(moved.getPath(), exists);
            throw exists;
        }
        Tree.listed(moved);
    }

    private static NodeExistsException exists(CrailPath target) {
        return new NodeExistsException(target + " exists; choose another name, or use -f to replace it");
    }

    /** Moves a finished copy to its path. Of several copies that are there at once, the last one stays. */
    private void replace(CrailPath unfinished, CrailPath target) throws Exception {
        CrailNode moved = null;
        for (int i = 0; moved == null && i < MOVES; i++) {
            moved = move(unfinished, target);
        }
        if (moved == null) {
            throw notMoved(unfinished.toString(), target, "others created that path " + MOVES + " times", null);
        }
        Tree.listed(moved);
    }

    /** Moves a copy to the path of what it replaces; null if somebody else was faster. */
    private CrailNode move(CrailPath unfinished, CrailPath target) throws Exception {
        try {
            Tree.outcome(tree.store().delete(target.toString(), false));
            CrailNode moved = Tree.outcome(tree.store().rename(unfinished.toString(), target.toString()));
            if (moved == null && tree.find(unfinished) == null) {
                throw new NodeNotFoundException(target + " was not replaced: " + unfinished
                        + ", its new bytes, was deleted meanwhile; copy again");
            }
            if (moved != null && !moved.getPath().equals(target.toString())) {
                throw notMoved(moved.getPath(), target, "it became a directory meanwhile", null);
            }
            return moved;
        } catch (ExecutionException e) {
            throw notMoved(unfinished.toString(), target, Failures.line(e), e);
        }
    }

    private static IOException notMoved(String unfinished, CrailPath target, String why, Exception cause) {
        return new IOException(
                target + " was not replaced: " + why + "; " + unfinished
                        + " holds the new bytes, move it with crail fs -mv",
                cause);
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

    private void write(ReadableByteChannel source, CrailPath target, CrailNodeType type, long sizeHint)
            throws Exception {
        CrailNode node = tree.create(target, type);
        try {
            writer.copy(source, Tree.file(node), sizeHint);
        } catch (Exception e) { // any way in which the API fails
            discard(target.toString(), e);
            throw e;
        }
    }

    /** Deletes what a failed copy left, even if the copy was interrupted. Why that failed is what the user must learn. */
    private void discard(String unfinished, Exception reason) {
        try {
            Tree.outcome(tree.store().delete(unfinished, false));
        } catch (Exception e) { // must not hide the reason
            LOG.warn("{} holds part of a copy that failed, and could not be deleted", unfinished);
            reason.addSuppressed(e);
        }
    }
}
