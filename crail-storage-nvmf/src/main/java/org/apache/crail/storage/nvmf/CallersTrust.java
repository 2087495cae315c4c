/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

/**
 * Whether callers are likely to take the completions of a connection, so that the loop need not. Who takes some is
 * trusted to take what it posts next, until the loop has left it time and it has taken none. Who only finds its
 * transfer done may have been slower than the loop, which then stands aside to see, the more seldom the more often that
 * was in vain. Thread safe; {@link #isStillExpected} is for the loop.
 */
final class CallersTrust {
    /** Some times what the posting of several commands takes, during which nobody can take anything. */
    private static final long PATIENCE_NS = 5_000_000;

    private static final int MOST_IGNORED = 8191;
    private static final long NOBODY = 0;

    private volatile boolean withdrawn; // since the loop asked last
    private volatile boolean taken; // by callers, since the loop asked last
    private volatile long trusted = NOBODY; // by the id of the thread
    private volatile long slower = NOBODY; // who found its transfer done since the loop asked last
    private long unusedNs; // that the loop has waited; for the loop, as the next ones
    private int ignoredNext = 1; // after the next try, unless somebody takes something before
    private int ignored; // so often somebody who was slower is not tried

    /** Notes that the calling thread has taken completions. */
    void noteTaken() {
        if (withdrawn) {
            withdrawn = false;
        }
        note(Thread.currentThread());
    }

    /** Notes that the loop has taken what a caller was about to; it may have withdrawn its trust by now. */
    void noteForestalled(Thread caller) {
        if (!withdrawn) {
            note(caller);
        }
    }

    private void note(Thread caller) {
        if (!taken) {
            taken = true;
        }
        if (trusted != caller.getId()) {
            trusted = caller.getId();
        }
    }

    /** Notes that the calling thread has come for a transfer that was done. */
    void noteSlower() {
        if (CallersTurn.CAN_LOOK && trusted == NOBODY) {
            slower = Thread.currentThread().getId();
        }
    }

    /** Whether the calling thread is likely to take what it posts. */
    boolean isTrusted() {
        return trusted == Thread.currentThread().getId();
    }

    /** Lets the loop take completions from now on, until a caller has taken some again. */
    void withdraw() {
        withdrawn = true;
        taken = false;
        trusted = NOBODY;
    }

    /** Whether somebody is likely to take what comes now. */
    boolean isExpected() {
        return trusted != NOBODY;
    }

    /**
     * The same, after a look at what has become of it.
     *
     * @param waitedNs how long the loop has left the completions to callers since it asked last
     */
    boolean isStillExpected(long waitedNs) {
        if (withdrawn) {
            withdrawn = false;
            taken = false;
            trusted = NOBODY;
            slower = NOBODY;
            return false;
        }
        if (taken) {
            taken = false;
            unusedNs = 0;
            ignoredNext = 1;
            ignored = 0;
            return true;
        }
        unusedNs += waitedNs;
        if (unusedNs >= PATIENCE_NS && trusted != NOBODY) {
            trusted = NOBODY;
        }
        if (slower != NOBODY && trusted == NOBODY) {
            tryOrIgnore();
        }
        slower = NOBODY;
        return trusted != NOBODY;
    }

    private void tryOrIgnore() {
        if (ignored > 0) {
            ignored--;
        } else {
            trusted = slower;
            unusedNs = 0;
            ignored = ignoredNext;
            ignoredNext = Math.min(MOST_IGNORED, 2 * ignoredNext + 1);
        }
    }
}
