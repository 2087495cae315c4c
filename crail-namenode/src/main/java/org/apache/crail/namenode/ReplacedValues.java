/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.crail.namenode.block.BlockStore;

/**
 * Values that were replaced by others which began in a part of a shared block, and of which nothing is visible yet. If such a
 * new value outgrows its part and no block is free, or its writer closes with nothing visible after it has asked for more than the
 * part, the one that it has replaced takes its place again, so that a put that fails as a whole destroys nothing. Not thread safe;
 * guarded by the namespace's write lock.
 */
final class ReplacedValues {
    private final Namespace namespace;

    /** By the id of the node that has their place. */
    private final Map<Long, Node> kept = new HashMap<>();

    ReplacedValues(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * What was made visible last at a node's place: the node, or what is kept for it; null if nobody has written there, as
     * what is empty cannot be lost.
     */
    Node lastWritten(Node node) {
        return node == null || node.capacityBytes > 0 ? node : kept.get(node.fd);
    }

    /**
     * Ends a node whose place another one has taken.
     *
     * @param former what {@link #lastWritten} has told of it
     */
    void replace(Container parent, Node replaced, Node former, Node node) {
        boolean keep = former != null && BlockStore.isSmall(node.firstBlock);
        if (keep) {
            kept.remove(replaced.fd);
            kept.put(node.fd, former);
        }
        if (keep && former == replaced) {
            namespace.recordSlots().vacate(parent, replaced, replaced.slot);
        } else {
            namespace.dispose(parent, replaced);
        }
    }

    /** Puts back what a node has replaced, if that is kept, and ends the node, which is stale from then on; answers whether it did. */
    boolean restore(Node node) {
        Node former = kept.remove(node.fd);
        if (former == null) {
            return false;
        }
        Container parent = node.parent;
        namespace.tree().unlink(node);
        namespace.order().inherit(former, node);
        namespace.tree().link(former, parent, node.name);
        namespace.recordSlots().occupy(parent, former, node.slot);
        namespace.dispose(parent, node);
        return true;
    }

    /** A node can be seen, has moved, or is gone: what it has replaced ends now; does nothing for others. */
    void drop(Node node) {
        Node former = kept.isEmpty() ? null : kept.remove(node.fd);
        if (former != null) {
            NodeBlocks.truncate(former, 0, namespace.blocks(), namespace.nowNs());
            namespace.forget(former);
        }
    }

    /** Visits all that are kept. */
    void forEach(Consumer<Node> visitor) {
        kept.values().forEach(visitor);
    }
}
