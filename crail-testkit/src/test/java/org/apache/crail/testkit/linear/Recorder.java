/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;

/** Takes down the calls of a history while they are made. All methods are thread safe. */
final class Recorder {
    /** What tells nothing about whether a call has been executed, or will be. */
    private static final Set<ErrorCode> IN_DOUBT = Set.of(
            ErrorCode.TIMEOUT,
            ErrorCode.NAMENODE_UNREACHABLE,
            ErrorCode.DATANODE_UNREACHABLE,
            ErrorCode.DATANODE_LOST,
            ErrorCode.SESSION_LOST);

    /** What answers a call; all else is a fault. */
    private static final Set<ErrorCode> ANSWERS = Set.of(
            ErrorCode.NODE_NOT_FOUND,
            ErrorCode.NODE_EXISTS,
            ErrorCode.PARENT_NOT_FOUND,
            ErrorCode.PARENT_NOT_CONTAINER,
            ErrorCode.NODE_TYPE_MISMATCH,
            ErrorCode.NOT_EMPTY,
            ErrorCode.INVALID_MOVE,
            ErrorCode.STALE_NODE);

    private static final AtomicInteger IDS = new AtomicInteger();

    private final AtomicLong clock = new AtomicLong();
    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();

    /** A number that no other node of this process has. */
    static int newId() {
        return IDS.incrementAndGet();
    }

    /** The moment of a begin. */
    long now() {
        return clock.incrementAndGet();
    }

    /** What has been taken down. */
    Collection<Step> steps() {
        return steps;
    }

    /**
     * Makes a call and takes it down.
     *
     * @param call answers what {@link NamespaceState} says
     * @return whether it has succeeded
     */
    boolean record(String client, Action action, Callable<String> call) throws Exception {
        long began = now();
        try {
            ended(client, action, began, call.call());
            return true;
        } catch (CrailException e) {
            if (isInDoubt(e)) {
                inDoubt(client, action, began);
            } else {
                ended(client, action, began, e.code().name());
            }
            return false;
        }
    }

    /** Takes down a call of whose outcome nobody knows. */
    void inDoubt(String client, Action action, long began) {
        steps.add(Step.pending(client, action, began));
    }

    /** Takes down a call that has been answered just now. */
    void ended(String client, Action action, long began, String answer) {
        steps.add(new Step(client, action, answer, began, now()));
    }

    /** Whether nobody knows if what failed so has been done; fails if it is neither that nor an answer. */
    static boolean isInDoubt(CrailException failure) {
        if (!IN_DOUBT.contains(failure.code()) && !ANSWERS.contains(failure.code())) {
            throw new AssertionError("a failure that nothing here can cause", failure);
        }
        return IN_DOUBT.contains(failure.code());
    }
}
