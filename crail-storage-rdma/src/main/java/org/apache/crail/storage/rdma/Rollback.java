/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How to give back what has been made so far, for something that is made in several steps. To be closed in any case,
 * which does it in reverse order, unless everything has been {@link #keep kept}. Used by one thread.
 */
final class Rollback implements AutoCloseable {
    private final Deque<Entry> entries = new ArrayDeque<>();

    /** What gives back the thing that has just been made. */
    void add(String what, VerbsErrors.Step step) {
        entries.push(new Entry(what, step));
    }

    /** All steps have succeeded; nothing is given back. */
    void keep() {
        entries.clear();
    }

    @Override
    public void close() {
        while (!entries.isEmpty()) {
            Entry entry = entries.pop();
            VerbsErrors.quietly(entry.what(), entry.step());
        }
    }

    private record Entry(String what, VerbsErrors.Step step) {}
}
