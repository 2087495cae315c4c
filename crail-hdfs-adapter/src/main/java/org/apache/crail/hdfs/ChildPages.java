/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.crail.Upcoming;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.NodeStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * What is in a directory, page by page. The second page is asked for when the first one is there, each further one as
 * soon as the one before has come, up to {@link #PAGES_AHEAD} pages before the caller gets to it: so the namenode makes
 * pages while the caller works on others. Not thread safe.
 */
final class ChildPages implements RemoteIterator<NodeStatus> {
    private static final int PAGES_AHEAD = 3;
    private static final ChildrenPage END = new ChildrenPage(List.of(), true);

    private final PathTree tree;
    private final Path directory;
    private final FileSystem.Statistics statistics;
    private final boolean isDirectory;

    /** The pages that follow, each of which is there as soon as it has been asked for; null behind the last one. */
    private final Deque<CompletableFuture<Upcoming<ChildrenPage>>> ahead = new ArrayDeque<>();

    /** What is on the last of these. */
    private CompletableFuture<ChildrenPage> furthest;

    private ChildrenPage page;

    /** Those of the page that are left. */
    private Iterator<NodeStatus> children;

    /** Waits for the first page. */
    ChildPages(PathTree tree, Path directory, FileSystem.Statistics statistics) throws IOException {
        this.tree = tree;
        this.directory = directory;
        this.statistics = statistics;
        ChildrenPage first = null;
        try {
            first = tree.children(directory, tree.askForChildren(directory, PathTree.BEGIN));
        } finally {
            count(first == null || first.isLast());
        }
        isDirectory = first != null;
        take(first);
    }

    /** A listing of several pages is a large one, each page of it an operation. */
    private void count(boolean isAll) {
        if (isAll) {
            statistics.incrementReadOps(1);
        } else {
            statistics.incrementLargeReadOps(1);
        }
    }

    /** Whether there is a directory at the path, and no file. */
    boolean isDirectory() {
        return isDirectory;
    }

    /** Takes a page; null is that of what is no directory, or no more. */
    private void take(ChildrenPage next) throws IOException {
        page = next == null ? END : next;
        children = page.children().iterator();
        askAhead();
    }

    private void askAhead() throws IOException {
        if (page.isLast()) {
            return;
        }
        if (ahead.isEmpty()) {
            add(CompletableFuture.completedFuture(tree.askForChildren(directory, page.lastName())));
        }
        while (ahead.size() < PAGES_AHEAD) {
            add(furthest.thenApply(this::askBehind));
        }
    }

    private void add(CompletableFuture<Upcoming<ChildrenPage>> asked) {
        ahead.add(asked);
        furthest = asked.thenCompose(
                answer -> answer == null ? CompletableFuture.completedFuture(END) : answer.toCompletableFuture());
    }

    private Upcoming<ChildrenPage> askBehind(ChildrenPage former) {
        try {
            return former.isLast() ? null : tree.askForChildren(directory, former.lastName());
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** Waits for the next page; if that fails, it can be asked for again. */
    private ChildrenPage next(CompletableFuture<Upcoming<ChildrenPage>> asked) throws IOException {
        try {
            Upcoming<ChildrenPage> answer = Failures.await(directory, () -> asked);
            return answer == null ? END : tree.children(directory, answer);
        } catch (IOException e) {
            ahead.clear();
            throw e;
        }
    }

    @Override
    public boolean hasNext() throws IOException {
        while (!children.hasNext() && !page.isLast()) {
            askAhead();
            count(false);
            take(next(ahead.remove()));
        }
        return children.hasNext();
    }

    @Override
    public NodeStatus next() throws IOException {
        if (!hasNext()) {
            throw new NoSuchElementException("no more entries in " + directory);
        }
        return children.next();
    }
}
