/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.metadata.StoreCapacity;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/** The namespace of a store by absolute Hadoop paths, with Hadoop's failures. All methods are thread safe and wait. */
final class PathTree {
    /** The name before all others. */
    static final String BEGIN = "";

    /** How often parents that vanish in between are made again. */
    private static final int MAX_ATTEMPTS = 8;

    private final CrailStore store;
    private final CrailNamespace namespace;

    /** Who creates. */
    private final String user;

    PathTree(CrailStore store, String user) {
        this.store = store;
        this.namespace = store.namespace();
        this.user = user;
    }

    private static String text(Path path) {
        return path.toUri().getPath();
    }

    /** What is at a path; null if nothing is. */
    NodeStatus find(Path path) throws IOException {
        return Failures.await(path, () -> namespace.status(text(path)));
    }

    NodeStatus require(Path path) throws IOException {
        NodeStatus status = find(path);
        if (status == null) {
            throw missing(path);
        }
        return status;
    }

    static FileNotFoundException missing(Path path) {
        return new FileNotFoundException(path + ": no such file or directory");
    }

    /** Asks for a page of children behind a name. */
    Upcoming<ChildrenPage> askForChildren(Path path, String after) throws IOException {
        return Failures.call(path, () -> namespace.children(text(path), after));
    }

    /** A page that has been asked for; null if the path is that of a file. */
    ChildrenPage children(Path path, Future<ChildrenPage> page) throws IOException {
        try {
            return Failures.awaitTyped(path, () -> page);
        } catch (CrailException e) {
            if (e.code() == ErrorCode.NODE_TYPE_MISMATCH) {
                return null;
            }
            throw Failures.translate(path, e);
        }
    }

    /** Asks where a range of a file lies; the answer is null if nothing is at the path. */
    Upcoming<List<CrailBlockLocation>> askForBlocks(Path path, long start, long length) throws IOException {
        return Failures.call(path, () -> namespace.locate(text(path), start, length));
    }

    /** Creates a file; with its parents if {@code createParent}. */
    CrailFile createFile(Path path, int permission, boolean overwrite, boolean createParent) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                CrailNode node = create(path, CrailNodeType.DATAFILE, permission, overwrite);
                return Failures.call(path, node::asFile);
            } catch (CrailException e) {
                boolean again = e.code() == ErrorCode.PARENT_NOT_FOUND && createParent && attempt < MAX_ATTEMPTS;
                if (!again) {
                    throw Failures.translate(path, e);
                }
                mkdirs(path.getParent(), directoryPermission(permission));
            }
        }
    }

    /** Who may read a file may enter the directories that are made for it. */
    private static int directoryPermission(int filePermission) {
        return filePermission | 0300 | (filePermission & 0444) >> 2;
    }

    /** Creates a directory that may exist, with its parents. */
    void mkdirs(Path path, int permission) throws IOException {
        for (int attempt = 1; !mkdir(path, permission, attempt == MAX_ATTEMPTS); attempt++) {
            mkdirs(path.getParent(), permission | 0300);
        }
    }

    /** Creates a directory that may exist; false if its parent is missing and {@code fail} is not set. */
    boolean mkdir(Path path, int permission, boolean fail) throws IOException {
        try {
            CrailNode ignored = create(path, CrailNodeType.DIRECTORY, permission, false);
            return true;
        } catch (CrailException e) {
            if (e.code() == ErrorCode.PARENT_NOT_FOUND && !fail) {
                return false;
            }
            if (e.code() != ErrorCode.NODE_EXISTS) {
                throw Failures.translate(path, e);
            }
        }
        NodeStatus there = find(path);
        if (there != null && !there.file().getType().isContainer()) {
            throw new FileAlreadyExistsException(path + ": a file has this path");
        }
        return there != null || mkdir(path, permission, fail);
    }

    private CrailNode create(Path path, CrailNodeType type, int permission, boolean replace) throws IOException {
        Ownership ownership = new Ownership(user, "", permission);
        return Failures.awaitTyped(
                path,
                () -> namespace.create(
                        text(path), type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, ownership, replace));
    }

    /** Finds a file to be read or written. */
    CrailFile open(Path path) throws IOException {
        CrailNode node = Failures.await(path, () -> store.lookup(text(path)));
        if (node == null) {
            throw missing(path);
        }
        if (node.getType().isContainer()) {
            throw new FileNotFoundException(path + ": is a directory");
        }
        return Failures.call(
                path, () -> node.getType() == CrailNodeType.KEYVALUE ? (CrailFile) node.asKeyValue() : node.asFile());
    }

    /** Deletes; false if there is nothing. The root stays. */
    boolean delete(Path path, boolean recursive) throws IOException {
        if (path.isRoot()) {
            if (!recursive
                    && !children(path, askForChildren(path, BEGIN)).children().isEmpty()) {
                throw new PathIsNotEmptyDirectoryException(path.toString());
            }
            return false;
        }
        return Failures.await(path, () -> store.delete(text(path), recursive)) != null;
    }

    /** Moves, and leaves failures as they are. */
    void move(Path source, Path destination, MoveMode mode) throws IOException {
        CrailNode ignored = Failures.awaitTyped(
                source + " to " + destination, () -> namespace.move(text(source), text(destination), mode));
    }

    void change(Path path, StatusChange change) throws IOException {
        NodeStatus ignored = Failures.await(path, () -> namespace.change(text(path), change));
    }

    StoreCapacity capacity() throws IOException {
        return Failures.await("/", namespace::capacity);
    }
}
