/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.ReplacedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.Writer;
import org.apache.crail.namenode.tree.Writers;

/**
 * Gives nodes their places in the tree. A node that is created where there was none gets its place at once. One that is
 * to replace another is known by its id only. It takes the other's place in one step with the first sync that shows
 * bytes, or with its close: until then everybody sees the former node, and if the writer fails or is lost, nothing has
 * happened. So puts of one key are in the order of their closes and syncs. Not thread safe; needs the namespace's write
 * lock.
 */
final class NodePlacement {
    private final Tree tree;
    private final Writers writers;
    private final RemovedNodes removed;
    private final ReplacedNodes replacedNodes;
    private final NamenodeClock clock;

    NodePlacement(Namespace namespace) {
        this.tree = namespace.tree();
        this.writers = namespace.writers();
        this.removed = namespace.removed();
        this.replacedNodes = namespace.replaced();
        this.clock = namespace.clock();
    }

    /** Whether a node of that type may take the place of another one. */
    static boolean mayReplace(CrailNodeType type, Node replaced) {
        return type == replaced.type() && !type.isContainer();
    }

    /**
     * Gives a node that is being written its place, unless it has it. Changes nothing if it fails.
     *
     * @throws CrailException NodeExistsException if a node that it cannot replace has the path now,
     *     InvalidPathException if that has become too long
     */
    void put(Writer writer, long nowNs) throws CrailException {
        Node node = writer.node();
        if (writer.isPlaced()) {
            return;
        }
        Container parent = node.parent();
        Node replaced = tree.child(parent, node.name());
        if (replaced != null && !mayReplace(node.type(), replaced)) {
            throw new NodeExistsException("cannot put " + node + " in its place: a " + replaced.type()
                    + " has got its path meanwhile; choose another path or delete it first");
        }
        if (replaced == null) {
            checkPath(node);
        } else {
            tree.displace(replaced);
        }
        tree.place(node);
        writer.takePlace();
        if (replaced != null) {
            end(replaced, nowNs);
        }
        parent.modifiedMs(clock.currentTimeMillis());
    }

    /** The parent may have moved since the path was checked. */
    private void checkPath(Node node) throws InvalidPathException {
        int bytes = tree.pathBytes(node);
        if (bytes > CrailPath.MAX_PATH_BYTES) {
            throw new InvalidPathException(
                    "cannot put " + node + " in its place: its parent has moved, and its path would have " + bytes
                            + " bytes; at most " + CrailPath.MAX_PATH_BYTES + " are allowed");
        }
    }

    /**
     * Ends a node that another one has displaced, unless it is an unfinished put, which may yet take the place in its
     * turn.
     */
    private void end(Node replaced, long nowNs) {
        Writer writer = replaced.writer();
        if (writer != null && writer.isPut() && replaced.type().isKeyValue()) {
            writer.awaitPlace();
        } else {
            tree.detach(replaced);
            replacedNodes.add(replaced, nowNs);
        }
    }

    /** Ends a node that has not got its place. */
    void discard(Node node, long nowNs) {
        node.writer().giveUpPlace();
        tree.detach(node);
        writers.giveBack(node, nowNs);
        removed.add(node, nowNs);
    }
}
