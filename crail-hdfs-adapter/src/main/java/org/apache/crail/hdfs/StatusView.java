/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;

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

    /** All in a directory, or the file itself. */
    List<FileStatus> list(Path path) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        for (RemoteIterator<FileStatus> it = iterate(path); it.hasNext(); ) {
            all.add(it.next());
        }
        return all;
    }

    /** Goes through a directory page by page, or through the file alone. Each page is one call. */
    RemoteIterator<FileStatus> iterate(Path path) throws IOException {
        List<NodeStatus> first = tree.children(path, 0);
        if (first == null) {
            FileStatus itself = of(tree.require(path), path);
            return new Pages(path, List.of(itself), 0);
        }
        return new Pages(path, first);
    }

    /** The pages of a directory. */
    private final class Pages implements RemoteIterator<FileStatus> {
        private final Path directory;
        private Iterator<FileStatus> page;

        /** The id of the last child of the page; 0 if no page follows. */
        private long last;

        Pages(Path directory, List<NodeStatus> first) {
            this.directory = directory;
            take(first);
        }

        Pages(Path directory, List<FileStatus> only, long last) {
            this.directory = directory;
            this.page = only.iterator();
            this.last = last;
        }

        private void take(List<NodeStatus> children) {
            last = children.isEmpty()
                    ? 0
                    : children.get(children.size() - 1).file().getFd();
            page = children.stream()
                    .map(child -> of(child, new Path(directory, new Path(null, null, child.name()))))
                    .iterator();
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
        public FileStatus next() throws IOException {
            if (!hasNext()) {
                throw new NoSuchElementException("no more entries in " + directory);
            }
            return page.next();
        }
    }
}
