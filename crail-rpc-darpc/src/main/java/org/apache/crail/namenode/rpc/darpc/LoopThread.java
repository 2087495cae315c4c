/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

/** The thread on which a connection's events happen. Thread safe. */
interface LoopThread {
    /**
     * Runs the task on the thread, with its next event or after at most 100 ms; in the order in which tasks are given.
     */
    void execute(Runnable task);

    /** Whether the caller is the thread. */
    boolean isCurrent();
}
