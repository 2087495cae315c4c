/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.namenode.allocation.RecordSlots;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.ReplacedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.Writer;
import org.apache.crail.namenode.tree.Writers;
import org.apache.crail.rpc.message.RecordPlace;

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
    private final RecordSlots slots;
    private final NodeDescriptions descriptions;
    private final NamenodeClock clock;

    NodePlacement(Namespace namespace) {
        this.tree = namespace.tree();
        this.writers = namespace.writers();
        this.removed = namespace.removed();
        this.replacedNodes = namespace.replaced();
        this.slots = namespace.slots();
        this.descriptions = namespace.descriptions();
        this.clock = namespace.clock();
    }

    /** Whether a node of that type may take the place of another one. */
    static boolean mayReplace(CrailNodeType type, Node replaced) {
        return type == replaced.type() && !type.isContainer();
    }

    /**
     * Gives a node that is being written its place, unless it has it. Changes nothing if it fails.
     *
     * @return where its directory record is to be written; null if it was there, or is not enumerable
     * @throws CrailException NodeExistsException if a node that it cannot replace has the path now,
     *     InvalidPathException if that has become too long, NoFreeBlocksException if there is no block for its
     *     directory record
     */
    RecordPlace put(Writer writer, long nowNs) throws CrailException {
        Node node = writer.node();
        if (writer.isPlaced()) {
            return null;
        }
        Container parent = node.parent();
        Node replaced = tree.child(parent, node.name());
        if (replaced != null && !mayReplace(node.type(), replaced)) {
            throw new NodeExistsException("cannot put node " + node.fd() + " in its place: a " + replaced.type()
                    + " has got its path meanwhile; choose another path or delete it first");
        }
        if (replaced == null) {
            checkPath(node);
        }
        int slot = writer.isEnumerable() ? slots.choose(parent, replaced) : FileInfo.NO_SLOT;
        if (slot != FileInfo.NO_SLOT) {
            slots.ensureBlock(parent, slot, "node " + node.fd(), nowNs);
        }
        if (replaced != null) {
            tree.displace(replaced);
        }
        tree.place(node);
        writer.takePlace();
        slots.occupy(parent, node, slot);
        if (replaced != null) {
            end(parent, replaced, nowNs);
        }
        parent.modifiedMs(clock.currentTimeMillis());
        return descriptions.recordPlace(parent, slot);
    }

    /** The parent may have moved since the path was checked. */
    private void checkPath(Node node) throws InvalidPathException {
        int bytes = tree.pathBytes(node);
        if (bytes > CrailPath.MAX_PATH_BYTES) {
            throw new InvalidPathException(
                    "cannot put node " + node.fd() + " in its place: its parent has moved, and its path would have "
                            + bytes + " bytes; at most " + CrailPath.MAX_PATH_BYTES + " are allowed");
        }
    }

    /**
     * Ends a node that another one has displaced, unless it is an unfinished put, which may yet take the place in its
     * turn.
     */
    private void end(Container parent, Node replaced, long nowNs) {
        Writer writer = replaced.writer();
        slots.vacate(parent, replaced, replaced.slot(), nowNs);
        if (writer != null && writer.isPut() && replaced.type().isKeyValue()) {
            writer.awaitPlace(replaced.isEnumerable());
            replaced.slot(FileInfo.NO_SLOT);
        } else {
            tree.detach(replaced);
            replacedNodes.add(replaced, nowNs);
        }
    }

    /** Ends a node that has not got its place. */
    void discard(Node node, long nowNs) {
        tree.detach(node);
        writers.giveBack(node, nowNs);
        removed.add(node, nowNs);
    }
}
