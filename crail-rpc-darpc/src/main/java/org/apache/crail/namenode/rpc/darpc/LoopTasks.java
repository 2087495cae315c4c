/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.crail.internal.LastResort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of a completion loop. Each runs behind the completions that were in the queue when it was given, so that an
 * end comes behind what arrived before it, and not later than that: also a loop that always finds completions runs its
 * tasks. {@link #add} is thread safe, the other methods belong to the loop's thread.
 */
final class LoopTasks {
    private static final Logger LOG = LoggerFactory.getLogger(LoopTasks.class);

    private final Queue<Runnable> given = new ConcurrentLinkedQueue<>();

    /** What was given before a poll that the polls since then have not gone past yet. */
    private final Queue<Runnable> next = new ArrayDeque<>();

    private int polls;

    void add(Runnable task) {
        given.add(task);
    }

    /** To be called before each poll. */
    void beforePoll() {
        if (next.isEmpty()) {
            polls = 0;
            take();
        }
    }

    /**
     * To be called when the completions of a poll have been handled; runs tasks whose turn it is.
     *
     * @param isDrained whether the poll has emptied the queue
     * @param pollsToDrain after how many polls all is handled that was there before them
     */
    void afterPoll(boolean isDrained, int pollsToDrain) {
        if (!next.isEmpty() && (isDrained || ++polls >= pollsToDrain)) {
            runNext();
        }
    }

    /** Runs all tasks; for a loop that cannot poll any more. */
    void runAll() {
        take();
        runNext();
    }

    private void take() {
        for (Runnable task = given.poll(); task != null; task = given.poll()) {
            next.add(task);
        }
    }

    private void runNext() {
        for (Runnable task = next.poll(); task != null; task = next.poll()) {
            LastResort.run(task, e -> LOG.error("a task of a connection failed; the others go on", e));
        }
    }
}
