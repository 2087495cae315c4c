/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

/**
 * One call of a history: what was asked, what was answered, and when it began and ended on a clock that all clients
 * share. A call whose outcome nobody knows is pending: it takes effect at any moment after its begin, or never.
 * Immutable.
 *
 * @param client who called
 * @param action what was asked
 * @param answer what was answered; null if nobody knows
 * @param began no two calls begin or end at the same time
 * @param ended {@link #NEVER} if pending
 */
record Step(String client, Action action, String answer, long began, long ended) {
    static final long NEVER = Long.MAX_VALUE;

    static Step pending(String client, Action action, long began) {
        return new Step(client, action, null, began, NEVER);
    }

    boolean isPending() {
        return ended == NEVER;
    }

    /** The same call, of whose outcome nobody knows. */
    Step inDoubt() {
        return pending(client, action, began);
    }

    @Override
    public String toString() {
        return "[%5d, %5s] %s %s -> %s"
                .formatted(began, isPending() ? "" : ended, client, action, isPending() ? "in doubt" : answer);
    }
}
