/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.core.list.ChildRecord;
import org.apache.crail.core.list.DirectoryPages;

/**
 * Lists a container: the full paths of its enumerable children, or with {@link #hasRecord} and {@link #nextRecord} also
 * the records that former children left in its data. After a failure every call fails. Holds nothing that would have to
 * be closed. Not thread safe.
 */
public class DirectoryInputStream implements Iterator<String> {
    private final MetadataCalls calls;
    private final DirectoryPages pages;
    private final String what;
    private final boolean randomize;
    private Iterator<ChildRecord> page = Collections.emptyIterator();
    private ChildRecord upcoming;
    private IOException failure;

    DirectoryInputStream(MetadataCalls calls, DirectoryPages pages, String path, boolean randomize) {
        this.calls = calls;
        this.pages = pages;
        this.what = "listing " + path;
        this.randomize = randomize;
    }

    /**
     * Whether there is another child; may wait for the next page.
     *
     * @throws UncheckedIOException if the namenode cannot tell what is in the container
     */
    @Override
    public boolean hasNext() {
        return advance(true);
    }

    /** The path of the next child, or null behind the last. */
    @Override
    public String next() {
        if (!advance(true)) {
            return null;
        }
        String path = upcoming.path();
        upcoming = null;
        return path;
    }

    /** Whether there is another record, of a child or left behind by a former one. */
    public boolean hasRecord() {
        return advance(false);
    }

    /** The next record, or null behind the last; {@link DirectoryRecord#isValid} tells whether its child lives. */
    public DirectoryRecord nextRecord() {
        if (!advance(false)) {
            return null;
        }
        DirectoryRecord record = new DirectoryRecord(upcoming);
        upcoming = null;
        return record;
    }

    private boolean advance(boolean onlyValid) {
        while (upcoming == null || (onlyValid && !upcoming.isValid())) {
            if (page.hasNext()) {
                upcoming = page.next();
            } else if (!nextPage()) {
                upcoming = null;
                return false;
            }
        }
        return true;
    }

    /** A listing that has failed goes on failing, as one that ends would say that there is no more. */
    private boolean nextPage() {
        if (failure != null) {
            throw new UncheckedIOException(failure.getMessage(), failure);
        }
        CompletableFuture<List<ChildRecord>> coming = pages.poll();
        if (coming == null) {
            return false;
        }
        try {
            List<ChildRecord> records = Waiting.await(what, coming, calls.waitLimitMs());
            if (randomize) {
                Collections.shuffle(records);
            }
            page = records.iterator();
            return true;
        } catch (IOException e) {
            pages.stop();
            failure = e;
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Ends the listing; not needed. */
    public void close() throws IOException {
        pages.stop();
        page = Collections.emptyIterator();
        upcoming = null;
    }
}
