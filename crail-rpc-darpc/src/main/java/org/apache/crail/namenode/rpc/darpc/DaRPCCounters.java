/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.util.concurrent.atomic.LongAdder;

/** What the clients of a transport have done; counts only grow. Thread safe. */
public final class DaRPCCounters {
    private final LongAdder calls = new LongAdder();

    DaRPCCounters() {}

    /** DaRPC calls made, each a work request with a message to a namenode; greetings are among them. */
    public long calls() {
        return calls.sum();
    }

    void countCall() {
        calls.increment();
    }
}
