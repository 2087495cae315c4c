/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.Upcoming;
import org.apache.crail.error.DatanodeLostException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Adds the places of blocks to statuses. Those of many files are asked for together, before the caller gets to them, so
 * that none waits for another. What has no bytes needs no call; a file that is gone by then is left out. Not thread
 * safe.
 */
final class LocatedStatuses implements RemoteIterator<LocatedFileStatus> {
    /** How many are asked for before the caller gets to them; once half of these are left, they are made full again. */
    static final int MAX_AHEAD = 256;

    private final PathTree tree;
    private final RemoteIterator<FileStatus> statuses;
    private final Deque<Entry> ahead = new ArrayDeque<>();
    private LocatedFileStatus next;

    LocatedStatuses(PathTree tree, RemoteIterator<FileStatus> statuses) {
        this.tree = tree;
        this.statuses = statuses;
    }

    /** A status, and the blocks that have been asked for; null if it has none. */
    private record Entry(FileStatus status, Upcoming<List<CrailBlockLocation>> blocks) {}

    private void askAhead() throws IOException {
        if (ahead.size() <= MAX_AHEAD / 2) {
            while (ahead.size() < MAX_AHEAD && statuses.hasNext()) {
                ahead.add(ask(statuses.next()));
            }
        }
    }

    private Entry ask(FileStatus status) throws IOException {
        boolean empty = status.isDirectory() || status.getLen() == 0;
        return new Entry(status, empty ? null : tree.askForBlocks(status.getPath(), 0, status.getLen()));
    }

    /** Waits for the blocks; null if the file is gone. One that has lost blocks is listed all the same. */
    private static LocatedFileStatus located(Entry entry) throws IOException {
        FileStatus status = entry.status();
        if (entry.blocks() == null) {
            return new LocatedFileStatus(status, status.isDirectory() ? null : new BlockLocation[0]);
        }
        try {
            List<CrailBlockLocation> blocks = Failures.awaitTyped(status.getPath(), entry::blocks);
            return blocks == null ? null : new LocatedFileStatus(status, StatusView.places(status, blocks));
        } catch (DatanodeLostException e) {
            return new LocatedFileStatus(status, StatusView.lost(status));
        } catch (IOException e) {
            throw Failures.translate(status.getPath(), e);
        }
    }

    /**
     * A file whose places could not be told comes first again, so that a caller who goes on does not take the listing
     * for complete.
     */
    @Override
    public boolean hasNext() throws IOException {
        while (next == null) {
            askAhead();
            if (ahead.isEmpty()) {
                return false;
            }
            Entry entry = ahead.remove();
            try {
                next = located(entry);
            } catch (IOException e) {
                ahead.addFirst(ask(entry.status()));
                throw e;
            }
        }
        return true;
    }

    @Override
    public LocatedFileStatus next() throws IOException {
        if (!hasNext()) {
            throw new NoSuchElementException("no more entries");
        }
        LocatedFileStatus current = next;
        next = null;
        return current;
    }
}
