/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.allocation;

import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;

/**
 * Predicts whether a key-value that replaces none, or was closed empty and is written to now, will outgrow a small
 * block: as the values of the table that were closed before, each for the first time. A long one speaks for one new
 * value only; a short one takes away what the long ones before have said, and what some of the next ones will say, so
 * that wrong predictions waste few blocks. Not thread safe; needs the namespace's write lock.
 */
final class ValueLengthPredictor {
    /** So many long values in flight at once are predicted. */
    static final int MOST_PREDICTED = 64;

    /** After short values, at most so many long ones are not believed. */
    static final int LEAST_PREDICTED = -16;

    private static final int DOUBT = 2;

    private final int smallBlockBytes;

    ValueLengthPredictor(int smallBlockBytes) {
        this.smallBlockBytes = smallBlockBytes;
    }

    /** Predicts whether a value that is about to be created, and has no predecessor that would tell, will be long. */
    boolean isNextLong(Container table) {
        return table.longValuesPredicted() > 0;
    }

    /** The value of which {@link #isNextLong} was asked has been created. */
    void created(Container table) {
        if (table.longValuesPredicted() > 0) {
            table.longValuesPredicted(table.longValuesPredicted() - 1);
        }
    }

    /** A writer has closed a node. */
    void closed(Node node) {
        Container table = node.parent();
        if (!node.type().isKeyValue() || node.isLengthCounted() || table == null || node.capacityBytes() == 0) {
            return;
        }
        node.countLength();
        int predicted = table.longValuesPredicted();
        table.longValuesPredicted(
                isLong(node)
                        ? Math.min(MOST_PREDICTED, predicted + 1)
                        : Math.max(LEAST_PREDICTED, Math.min(predicted, 0) - DOUBT));
    }

    /** Whether a value has outgrown a small block. */
    boolean isLong(Node node) {
        return node.capacityBytes() > smallBlockBytes;
    }
}
