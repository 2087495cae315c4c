/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.Upcoming;
import org.apache.crail.metadata.NodeStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * What is in a directory, page by page. Each page is asked for when the one before has come, by who takes that from the connection, and up to
 * {@link #PAGES_AHEAD} pages before the caller needs it: so the namenode makes pages while the caller works on others. Not thread
 * safe.
 */
final class ChildPages implements RemoteIterator<NodeStatus> {
    private static final int PAGES_AHEAD = 2;

    private final PathTree tree;
    private final Path directory;
    private final boolean isDirectory;
    private final Deque<Future<List<NodeStatus>>> asked = new ArrayDeque<>();
    private CompletableFuture<List<NodeStatus>> furthest;
    private Iterator<NodeStatus> page;

    /** The id of the last child of the page. */
    private long last;

    private boolean isLast;

    /** Asks for the first pages, and waits for one. */
    ChildPages(PathTree tree, Path directory) throws IOException {
        this.tree = tree;
        this.directory = directory;
        List<NodeStatus> first = next(0);
        isDirectory = first != null;
        take(first);
    }

    /** Whether there is a directory at the path, and no file. */
    boolean isDirectory() {
        return isDirectory;
    }

    private void take(List<NodeStatus> children) {
        isLast = children == null || children.isEmpty();
        page = isLast ? Collections.emptyIterator() : children.iterator();
        last = isLast ? last : lastOf(children);
    }

    /** Waits for the page behind {@code after}; if that fails, it can be asked for again. Null if the path is that of a file. */
    private List<NodeStatus> next(long after) throws IOException {
        if (asked.isEmpty()) {
            Upcoming<List<NodeStatus>> one = tree.askForChildren(directory, after);
            asked.add(one);
            furthest = one.toCompletableFuture();
        }
        while (asked.size() <= PAGES_AHEAD) {
            furthest = furthest.thenCompose(this::askBehind);
            asked.add(furthest);
        }
        try {
            return tree.children(directory, asked.remove());
        } catch (IOException e) {
            asked.clear(); // the others follow from it
            throw e;
        }
    }

    private CompletableFuture<List<NodeStatus>> askBehind(List<NodeStatus> children) {
        if (children.isEmpty()) {
            return CompletableFuture.completedFuture(children);
        }
        try {
            return tree.askForChildren(directory, lastOf(children)).toCompletableFuture();
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static long lastOf(List<NodeStatus> children) {
        return children.get(children.size() - 1).file().getFd();
    }

    @Override
    public boolean hasNext() throws IOException {
        while (!page.hasNext() && !isLast) {
            take(next(last));
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
