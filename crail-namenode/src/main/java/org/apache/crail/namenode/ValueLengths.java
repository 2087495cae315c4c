/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.namenode.block.BlockStore;

/**
 * Guesses whether a new key-value will outgrow a part of a shared block. One that will begins with a block of its own, so
 * that its writer need not ask for one: where it replaces another one, as that was; else as the values of the table that
 * were closed before. Each close of a long value speaks for one new value only, and for none any more once such a value
 * turned out to be short, so that wrong guesses waste few blocks. Not thread safe; needs the namespace's write lock.
 */
final class ValueLengths {
    /** So many long values in flight at once are foreseen. */
    static final int MOST_FORESEEN = 64;

    private final Namespace namespace;

    ValueLengths(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * Guesses the length of a value that is about to be created.
     *
     * @param replaced the node that it replaces, or null
     */
    boolean isNextLong(Container table, Node replaced) {
        if (replaced != null && replaced.capacityBytes > 0) {
            return isLong(replaced);
        }
        boolean foreseen = table.longValuesForeseen > 0;
        if (foreseen) {
            table.longValuesForeseen--;
        }
        return foreseen;
    }

    /** A writer has closed a node. */
    void closed(Node node) {
        if (!node.type().isKeyValue() || node.parent == null) {
            return;
        }
        if (isLong(node)) {
            node.parent.longValuesForeseen = Math.min(MOST_FORESEEN, node.parent.longValuesForeseen + 1);
        } else if (!BlockStore.isSmall(node.firstBlock)) {
            node.parent.longValuesForeseen = 0;
        }
    }

    private boolean isLong(Node node) {
        return node.capacityBytes > namespace.settings().smallBlockBytes();
    }
}
