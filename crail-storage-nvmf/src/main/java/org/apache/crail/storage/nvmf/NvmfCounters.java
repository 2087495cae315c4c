/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.concurrent.atomic.LongAdder;

/** What the clients of a tier have done; counts only grow. Thread safe. */
public final class NvmfCounters {
    private final LongAdder connections = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder copies = new LongAdder();
    private final LongAdder registrations = new LongAdder();

    NvmfCounters() {}

    /** Connections that have been made. */
    public long connections() {
        return connections.sum();
    }

    /** Read commands given to targets. */
    public long reads() {
        return reads.sum();
    }

    /** Write commands given to targets. */
    public long writes() {
        return writes.sum();
    }

    /** Commands of either kind. */
    public long commands() {
        return reads() + writes();
    }

    /** Copies between buffers and staged sectors, one for each part of a sector. */
    public long copies() {
        return copies.sum();
    }

    /** Buffers, or regions of them, registered with devices; staged sectors are not counted. */
    public long registrations() {
        return registrations.sum();
    }

    void countConnection() {
        connections.increment();
    }

    void countCommand(boolean isWrite) {
        (isWrite ? writes : reads).increment();
    }

    void countCopy() {
        copies.increment();
    }

    void countRegistration() {
        registrations.increment();
    }
}
