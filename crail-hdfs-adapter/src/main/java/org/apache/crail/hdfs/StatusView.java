/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Future;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.functional.RemoteIterators;

/** Shows nodes as Hadoop's file statuses. All methods are thread safe; the iterators are not. */
final class StatusView {
    private final PathTree tree;
    private final long blockSizeBytes;

    StatusView(PathTree tree, long blockSizeBytes) {
        this.tree = tree;
        this.blockSizeBytes = blockSizeBytes;
    }

    /** The status of a node at a qualified path. */
    FileStatus of(NodeStatus node, Path path) {
        boolean directory = node.file().getType().isContainer();
        Ownership ownership = node.ownership();
        return new FileStatus(
                directory ? 0 : node.file().getCapacity(),
                directory,
                directory ? 0 : 1,
                directory ? 0 : blockSizeBytes,
                node.file().getModificationTime(),
                node.accessTimeMs(),
                new FsPermission((short) ownership.permission()),
                ownership.owner(),
                ownership.group(),
                path);
    }

    /** All in a directory, by name, or the file itself. */
    FileStatus[] list(Path path) throws IOException {
        List<NodeStatus> first = tree.children(path, tree.askForChildren(path, 0));
        if (first == null) {
            return new FileStatus[] {of(tree.require(path), path)};
        }
        ChildPaths paths = new ChildPaths(path);
        List<Entry> entries = new ArrayList<>();
        for (Pages it = new Pages(path, first); it.hasNext(); ) {
            NodeStatus node = it.next();
            entries.add(new Entry(node.name(), of(node, paths.of(node.name()))));
        }
        entries.sort(Comparator.comparing(Entry::name));
        return entries.stream().map(Entry::status).toArray(FileStatus[]::new);
    }

    private record Entry(String name, FileStatus status) {}

    /** Goes through a directory page by page, or through the file alone. Each page is one call, one page ahead. */
    RemoteIterator<FileStatus> iterate(Path path) throws IOException {
        List<NodeStatus> first = tree.children(path, tree.askForChildren(path, 0));
        if (first == null) {
            return RemoteIterators.remoteIteratorFromSingleton(of(tree.require(path), path));
        }
        ChildPaths paths = new ChildPaths(path);
        return RemoteIterators.mappingRemoteIterator(new Pages(path, first), node -> of(node, paths.of(node.name())));
    }

    /** The pages of a directory, each asked for when the one before has come. */
    private final class Pages implements RemoteIterator<NodeStatus> {
        private final Path directory;
        private Iterator<NodeStatus> page;

        /** The id of the last child of the page; 0 if no page follows. */
        private long last;

        /** The page that follows, if it has been asked for. */
        private Future<List<NodeStatus>> following;

        Pages(Path directory, List<NodeStatus> first) throws IOException {
            this.directory = directory;
            take(first);
        }

        private void take(List<NodeStatus> children) throws IOException {
            page = children.iterator();
            last = children.isEmpty()
                    ? 0
                    : children.get(children.size() - 1).file().getFd();
            if (last != 0) {
                following = tree.askForChildren(directory, last);
            }
        }

        /** The page that follows; if that fails, it can be asked for again. */
        private List<NodeStatus> awaitFollowing() throws IOException {
            Future<List<NodeStatus>> asked = following == null ? tree.askForChildren(directory, last) : following;
            following = null;
            return tree.children(directory, asked);
        }

        @Override
        public boolean hasNext() throws IOException {
            while (!page.hasNext() && last != 0) {
                List<NodeStatus> children = awaitFollowing();
                take(children == null ? List.of() : children);
            }
            return page.hasNext();
        }

        @Override
        public NodeStatus next() throws IOException {
            if (!hasNext()) {
                throw new NoSuchElementException("no more entries in " + directory);
            }
            return page.next();
        }
    }
}
