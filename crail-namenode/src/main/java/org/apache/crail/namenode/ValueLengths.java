/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

/**
 * Guesses whether a key-value that replaces none, or was closed empty and is written to now, will outgrow a part of a
 * shared block: as the values of the table that were closed before, each for the first time. A long one speaks for one
 * new value only; a short one takes away what the long ones before have said, and what some of the next ones will say,
 * so that wrong guesses waste few blocks. Not thread safe; needs the namespace's write lock.
 */
final class ValueLengths {
    /** So many long values in flight at once are foreseen. */
    static final int MOST_FORESEEN = 64;

    /** After short values, at most so many long ones are not believed. */
    static final int LEAST_FORESEEN = -16;

    private static final int DOUBT = 2;

    private final Namespace namespace;

    ValueLengths(Namespace namespace) {
        this.namespace = namespace;
    }

    /** Guesses whether a value that is about to be created, and has no predecessor that would tell, will be long. */
    boolean isNextLong(Container table) {
        return table.longValuesForeseen > 0;
    }

    /** The value of which {@link #isNextLong} was asked has been created. */
    void created(Container table) {
        if (table.longValuesForeseen > 0) {
            table.longValuesForeseen--;
        }
    }

    /** A writer has closed a node. */
    void closed(Node node) {
        if (!node.type().isKeyValue() || node.lengthCounted || node.parent == null || node.capacityBytes == 0) {
            return;
        }
        node.lengthCounted = true;
        int foreseen = node.parent.longValuesForeseen;
        node.parent.longValuesForeseen = isLong(node)
                ? Math.min(MOST_FORESEEN, foreseen + 1)
                : Math.max(LEAST_FORESEEN, Math.min(foreseen, 0) - DOUBT);
    }

    /** Whether a value has outgrown a part. */
    boolean isLong(Node node) {
        return node.capacityBytes > namespace.settings().smallBlockBytes();
    }
}
