/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.crail.error.InvalidRequestException;

/**
 * Reads the files of a bag one after the other. Files are looked up ahead; those that are deleted meanwhile, and empty
 * ones, are left out. After a failure every call fails. Not thread safe.
 */
final class MultiFileReadSource implements ReadSource {
    private final CrailStore store;
    private final Iterator<String> names;
    private final String what;
    private final Deque<Future<CrailNode>> lookups = new ArrayDeque<>();
    private final Set<CrailInputStream> open = new LinkedHashSet<>();
    private int lookupsAhead;
    private CrailInputStream stream;
    private long left;
    private IOException failure;

    MultiFileReadSource(CrailMultiFile bag, int lookupsAhead) throws Exception {
        this.store = bag.getFileSystem();
        this.names = bag.listEntries();
        this.what = "reading " + bag.getPath();
        this.lookupsAhead = lookupsAhead;
        lookUpAhead();
    }

    /** The stream that reads are begun on; null if there is none at the moment. */
    CrailInputStream stream() {
        return stream;
    }

    private void lookUpAhead() throws Exception {
        while (lookups.size() < lookupsAhead && names.hasNext()) {
            lookups.add(store.lookup(names.next()));
        }
    }

    @Override
    public ReadOperation start(CrailBuffer slice, int wanted, boolean mayBlock) throws Exception {
        if (failure != null) {
            throw Calls.again(what, failure);
        }
        try {
            return Calls.io(what, () -> startNext(slice, mayBlock));
        } catch (InterruptedIOException e) {
            throw e; // nothing is left out
        } catch (IOException e) {
            failure = e; // who reads ahead does not tell of it, and what has failed must not be left out
            throw e;
        }
    }

    private ReadOperation startNext(CrailBuffer slice, boolean mayBlock) throws Exception {
        while (stream != null || openNext(mayBlock)) {
            slice.limit((int) Math.min(slice.capacity(), left));
            ReadOperation operation = ReadOperation.start(stream, slice, left);
            if (operation != null) {
                left -= operation.length();
                stream = operation.last() ? null : stream;
                return operation;
            }
            stream = null;
        }
        return null;
    }

    /** Directories among the files have none. */
    private static long bytesOf(CrailNode node) {
        return node == null || node.getType().isContainer() ? 0 : node.getCapacity();
    }

    /** Opens the next file that has bytes; false if there is none, or if this may not wait for a lookup. */
    private boolean openNext(boolean mayBlock) throws Exception {
        lookUpAhead();
        while (!lookups.isEmpty() && (mayBlock || lookups.element().isDone())) {
            CrailNode node = Calls.await(what, lookups.element());
            lookups.remove();
            lookUpAhead();
            if (bytesOf(node) > 0) {
                left = node.getCapacity();
                stream = node.asFile().getDirectInputStream(left);
                open.add(stream);
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isSequential() {
        return true;
    }

    @Override
    public void expectSequential() throws Exception {
        lookupsAhead = Math.max(lookupsAhead, lookups.size() + 1);
        lookUpAhead();
    }

    @Override
    public long rest() {
        long bytes = stream == null ? 0 : left;
        for (Future<CrailNode> lookup : lookups) {
            if (!lookup.isDone()) {
                return bytes;
            }
            try {
                bytes += bytesOf(Calls.await(what, lookup));
            } catch (IOException e) {
                return bytes + 1; // reading on shows the failure
            }
        }
        return bytes;
    }

    @Override
    public void finished(ReadOperation operation) throws Exception {
        if (operation.last()) {
            open.remove(operation.stream());
            operation.stream().close();
        }
    }

    @Override
    public void reposition(long position) throws InvalidRequestException {
        throw MultiFileBufferedInputStream.cannotSeek();
    }

    /** Which file the bytes belong to is forgotten by now. */
    @Override
    public void retry(long position, IOException cause) {
        failure = cause;
    }

    @Override
    public void close() throws Exception {
        stream = null;
        Calls.all(
                "closing " + open.size() + " streams",
                open.stream().map(input -> (Calls.Action) input::close).toArray(Calls.Action[]::new));
        open.clear();
    }
}
