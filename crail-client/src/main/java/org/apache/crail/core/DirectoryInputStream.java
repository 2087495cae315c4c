/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailPath;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;

/**
 * Lists a container: the full paths of its enumerable children, page by page, as each page is when the namenode answers
 * it. After a failure every call fails. Holds nothing that would have to be closed. Not thread safe.
 */
public class DirectoryInputStream implements Iterator<String> {
    private static final String BEGIN = "";

    private final MetadataCalls calls;
    private final CrailPath path;
    private final long fd;
    private final boolean randomize;
    private Iterator<String> names = Collections.emptyIterator();

    /** The next page; null behind the last one. */
    private CompletableFuture<ChildrenResponse> coming;

    /** The page behind {@link #coming}, which is asked for when that has come. */
    private CompletableFuture<ChildrenResponse> following;

    private IOException failure;

    /** Lists the container at a path, as it was just looked up. */
    DirectoryInputStream(MetadataCalls calls, CrailPath path, FileInfo container, boolean randomize) {
        this.calls = calls;
        this.path = path;
        this.fd = container.getFd();
        this.randomize = randomize;
        if (container.children() > 0) {
            expect(calls.router().askForPath(path, request(BEGIN)));
        }
    }

    private ChildrenRequest request(String after) {
        return new ChildrenRequest(path, after, ChildrenRequest.MAX_COUNT);
    }

    private void expect(CompletableFuture<ChildrenResponse> page) {
        coming = page;
        following = page.thenCompose(former -> former.isLast()
                ? CompletableFuture.completedFuture(null)
                : calls.router().callForPath(path, request(lastName(former))));
    }

    private static String lastName(ChildrenResponse page) {
        List<NodeStatus> children = page.children();
        return children.get(children.size() - 1).name();
    }

    /**
     * Whether there is another child; may wait for the next page.
     *
     * @throws UncheckedIOException if the namenode cannot tell what is in the container
     */
    @Override
    public boolean hasNext() {
        if (failure != null) {
            throw new UncheckedIOException(failure.getMessage(), failure);
        }
        while (!names.hasNext() && coming != null) {
            try {
                names = nextPage();
            } catch (IOException e) {
                failure = e;
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }
        return names.hasNext();
    }

    /** Waits for a page; those behind it come while the caller goes through it. */
    private Iterator<String> nextPage() throws IOException {
        String what = "listing " + path;
        ChildrenResponse page = coming instanceof PendingCall<ChildrenResponse> asked
                ? calls.await(what, asked)
                : calls.await(what, coming);
        if (page.parentFd() != fd) {
            throw new StaleNodeException(
                    "cannot list " + path + " to its end: another node has this path now; list it anew");
        }
        if (page.isLast()) {
            coming = null;
        } else {
            expect(following);
        }
        List<String> listed = new ArrayList<>(page.children().size());
        for (NodeStatus child : page.children()) {
            if (child.file().isEnumerable()) {
                listed.add(child.name());
            }
        }
        if (randomize) {
            Collections.shuffle(listed);
        }
        return listed.iterator();
    }

    /** The path of the next child, or null behind the last. */
    @Override
    public String next() {
        return hasNext() ? path(names.next()) : null;
    }

    private String path(String name) {
        return path.isRoot() ? path + name : path + "/" + name;
    }

    /** As {@link #hasNext}. */
    public boolean hasRecord() {
        return hasNext();
    }

    /** The next child, or null behind the last. */
    public DirectoryRecord nextRecord() {
        return hasNext() ? new DirectoryRecord(path.toString(), names.next()) : null;
    }

    /** Ends the listing; not needed. */
    public void close() throws IOException {
        coming = null;
        names = Collections.emptyIterator();
    }
}
