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
import java.util.concurrent.CompletionException;
import org.apache.crail.Upcoming;
import org.apache.crail.metadata.NodeStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * What is in a directory, page by page. The second page is asked for when the first one is there, each further one as soon as
 * the one before has come, up to {@link #PAGES_AHEAD} pages before the caller gets to it: so the namenode makes pages while the
 * caller works on others. Not thread safe.
 */
final class ChildPages implements RemoteIterator<NodeStatus> {
    private static final int PAGES_AHEAD = 3;

    private final PathTree tree;
    private final Path directory;
    private final boolean isDirectory;

    /** The pages that follow, each of which is there as soon as it has been asked for; null behind the last one. */
    private final Deque<CompletableFuture<Upcoming<List<NodeStatus>>>> ahead = new ArrayDeque<>();

    /** What is on the last of these. */
    private CompletableFuture<List<NodeStatus>> furthest;

    private Iterator<NodeStatus> page;

    /** The rank of the last child of the page. */
    private long last;

    private boolean isLast;

    /** Waits for the first page. */
    ChildPages(PathTree tree, Path directory) throws IOException {
        this.tree = tree;
        this.directory = directory;
        List<NodeStatus> first = tree.children(directory, tree.askForChildren(directory, 0));
        isDirectory = first != null;
        take(first);
    }

    /** Whether there is a directory at the path, and no file. */
    boolean isDirectory() {
        return isDirectory;
    }

    private void take(List<NodeStatus> children) throws IOException {
        isLast = children == null || children.isEmpty();
        page = isLast ? Collections.emptyIterator() : children.iterator();
        if (!isLast) {
            last = lastOf(children);
            askAhead();
        }
    }

    private void askAhead() throws IOException {
        if (ahead.isEmpty()) {
            add(CompletableFuture.completedFuture(tree.askForChildren(directory, last)));
        }
        while (ahead.size() < PAGES_AHEAD) {
            add(furthest.thenApply(this::askBehind));
        }
    }

    private void add(CompletableFuture<Upcoming<List<NodeStatus>>> asked) {
        ahead.add(asked);
        furthest = asked.thenCompose(
                answer -> answer == null ? CompletableFuture.completedFuture(List.of()) : answer.toCompletableFuture());
    }

    private Upcoming<List<NodeStatus>> askBehind(List<NodeStatus> children) {
        try {
            return children.isEmpty() ? null : tree.askForChildren(directory, lastOf(children));
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static long lastOf(List<NodeStatus> children) {
        return children.get(children.size() - 1).rank();
    }

    /** Waits for the next page; if that fails, it can be asked for again. */
    private List<NodeStatus> next(CompletableFuture<Upcoming<List<NodeStatus>>> asked) throws IOException {
        try {
            Upcoming<List<NodeStatus>> answer = Failures.await(directory, () -> asked);
            return answer == null ? List.of() : tree.children(directory, answer);
        } catch (IOException e) {
            ahead.clear();
            throw e;
        }
    }

    @Override
    public boolean hasNext() throws IOException {
        while (!page.hasNext() && !isLast) {
            askAhead();
            take(next(ahead.remove()));
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
