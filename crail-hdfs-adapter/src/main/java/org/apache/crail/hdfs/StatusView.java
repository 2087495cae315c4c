/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
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
        List<NodeStatus> first = tree.children(path, 0);
        if (first == null) {
            return new FileStatus[] {of(tree.require(path), path)};
        }
        List<NodeStatus> nodes = new ArrayList<>();
        for (Pages it = new Pages(path, first); it.hasNext(); ) {
            nodes.add(it.next());
        }
        nodes.sort(Comparator.comparing(NodeStatus::name));
        ChildPaths paths = new ChildPaths(path);
        FileStatus[] all = new FileStatus[nodes.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = of(nodes.get(i), paths.of(nodes.get(i).name()));
        }
        return all;
    }

    /** Goes through a directory page by page, or through the file alone. Each page is one call. */
    RemoteIterator<FileStatus> iterate(Path path) throws IOException {
        List<NodeStatus> first = tree.children(path, 0);
        if (first == null) {
            return RemoteIterators.remoteIteratorFromSingleton(of(tree.require(path), path));
        }
        ChildPaths paths = new ChildPaths(path);
        return RemoteIterators.mappingRemoteIterator(new Pages(path, first), node -> of(node, paths.of(node.name())));
    }

    /** The pages of a directory. */
    private final class Pages implements RemoteIterator<NodeStatus> {
        private final Path directory;
        private Iterator<NodeStatus> page;

        /** The id of the last child of the page; 0 if no page follows. */
        private long last;

        Pages(Path directory, List<NodeStatus> first) {
            this.directory = directory;
            take(first);
        }

        private void take(List<NodeStatus> children) {
            last = children.isEmpty()
                    ? 0
                    : children.get(children.size() - 1).file().getFd();
            page = children.iterator();
        }

        @Override
        public boolean hasNext() throws IOException {
            while (!page.hasNext() && last != 0) {
                List<NodeStatus> children = tree.children(directory, last);
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
