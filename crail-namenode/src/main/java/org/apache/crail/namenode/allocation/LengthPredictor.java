/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.allocation;

import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;

/**
 * Predicts whether a file or value will outgrow a small block, if it replaces none, or was closed empty and is written
 * to now: as those nodes of the container that were closed before, each for the first time. A long one speaks for one
 * new node only. A short one takes away what the long ones before have said, and what some of the next ones will say,
 * so that wrong predictions waste few blocks. Not thread safe; needs the namespace's write lock.
 */
final class LengthPredictor {
    /** So many long nodes in flight at once are predicted. */
    static final int MOST_PREDICTED = 64;

    /** After short nodes, at most so many long ones are not believed. */
    static final int LEAST_PREDICTED = -16;

    private static final int DOUBT = 2;

    private final int smallBlockBytes;

    LengthPredictor(int smallBlockBytes) {
        this.smallBlockBytes = smallBlockBytes;
    }

    /** Predicts whether a node that is about to be created, and has no predecessor that would tell, will be long. */
    boolean isNextLong(Container parent) {
        return parent.longNodesPredicted() > 0;
    }

    /** The node of which {@link #isNextLong} was asked has been created. */
    void created(Container parent) {
        if (parent.longNodesPredicted() > 0) {
            parent.longNodesPredicted(parent.longNodesPredicted() - 1);
        }
    }

    /** A writer has closed a node. */
    void closed(Node node) {
        Container parent = node.parent();
        if (node.isLengthCounted() || parent == null || node.capacityBytes() == 0) {
            return;
        }
        node.countLength();
        int predicted = parent.longNodesPredicted();
        parent.longNodesPredicted(
                isLong(node)
                        ? Math.min(MOST_PREDICTED, predicted + 1)
                        : Math.max(LEAST_PREDICTED, Math.min(predicted, 0) - DOUBT));
    }

    /** Whether a node has outgrown a small block. */
    boolean isLong(Node node) {
        return node.capacityBytes() > smallBlockBytes;
    }
}
