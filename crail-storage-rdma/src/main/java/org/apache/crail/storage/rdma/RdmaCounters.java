/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.concurrent.atomic.LongAdder;

/** What the clients of a tier have done; counts only grow. Thread safe. */
public final class RdmaCounters {
    private final LongAdder connections = new LongAdder();
    private final LongAdder workRequests = new LongAdder();
    private final LongAdder completions = new LongAdder();
    private final LongAdder registrations = new LongAdder();

    RdmaCounters() {}

    /** Connections that have been made. */
    public long connections() {
        return connections.sum();
    }

    /** Work requests given to devices. */
    public long workRequests() {
        return workRequests.sum();
    }

    /** Completions taken from devices. */
    public long completions() {
        return completions.sum();
    }

    /** Buffers, or regions of them, registered with devices. */
    public long registrations() {
        return registrations.sum();
    }

    void countConnection() {
        connections.increment();
    }

    void countWorkRequests(int count) {
        workRequests.add(count);
    }

    void countCompletions(int count) {
        completions.add(count);
    }

    void countRegistration() {
        registrations.increment();
    }
}
