/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
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

    /** All in a directory, by name, each once, or the file itself; counts its pages. */
    FileStatus[] list(Path path, FileSystem.Statistics statistics) throws IOException {
        ChildPages pages = new ChildPages(tree, path, statistics);
        if (!pages.isDirectory()) {
            return new FileStatus[] {of(tree.require(path), path)};
        }
        ChildPaths paths = new ChildPaths(path);
        List<Entry> entries = new ArrayList<>();
        while (pages.hasNext()) {
            NodeStatus node = pages.next();
            entries.add(new Entry(node.name(), of(node, paths.of(node.name()))));
        }
        entries.sort(Comparator.comparing(Entry::name));
        FileStatus[] all = new FileStatus[entries.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = entries.get(i).status;
        }
        return all;
    }

    private record Entry(String name, FileStatus status) {}

    /**
     * Goes through a directory page by page, or through the file alone. Each page is one call, and counts when it is
     * waited for.
     */
    RemoteIterator<FileStatus> iterate(Path path, FileSystem.Statistics statistics) throws IOException {
        ChildPages pages = new ChildPages(tree, path, statistics);
        if (!pages.isDirectory()) {
            return RemoteIterators.remoteIteratorFromSingleton(of(tree.require(path), path));
        }
        ChildPaths paths = new ChildPaths(path);
        return RemoteIterators.mappingRemoteIterator(pages, node -> of(node, paths.of(node.name())));
    }

    /** As {@link #iterate}, with the places of blocks, of what a filter accepts. */
    RemoteIterator<LocatedFileStatus> iterateWithPlaces(Path path, PathFilter filter, FileSystem.Statistics statistics)
            throws IOException {
        return new LocatedStatuses(
                tree,
                RemoteIterators.filteringRemoteIterator(
                        iterate(path, statistics), status -> filter.accept(status.getPath())));
    }

    /** The places of blocks, clipped to the file. */
    static BlockLocation[] places(FileStatus file, List<CrailBlockLocation> blocks) {
        return blocks.stream().map(block -> place(file, block)).toArray(BlockLocation[]::new);
    }

    /** The whole of a file that has lost blocks: on no host, and corrupt, as Hadoop calls it. */
    static BlockLocation[] lost(FileStatus file) {
        String[] nowhere = {};
        return new BlockLocation[] {new BlockLocation(nowhere, nowhere, nowhere, 0, file.getLen(), true)};
    }

    private static BlockLocation place(FileStatus file, CrailBlockLocation block) {
        long bytes = Math.min(block.getLength(), file.getLen() - block.getOffset());
        return new BlockLocation(block.getNames(), block.getHosts(), block.getTopology(), block.getOffset(), bytes);
    }
}
