/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.Arrays;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidMoveException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.MoveResponse;

/**
 * Gives nodes other paths. Everything that can fail comes first. Not thread safe; needs the namespace's write lock.
 */
final class NodeMove {
    private final Namespace namespace;
    private final Tree tree;
    private final RecordSlots slots;

    NodeMove(Namespace namespace) {
        this.namespace = namespace;
        this.tree = namespace.tree();
        this.slots = namespace.recordSlots();
    }

    MoveResponse move(MoveRequest request) throws CrailException {
        CrailPath source = request.source();
        if (source.isRoot()) {
            throw new InvalidMoveException("cannot move / to " + request.destination() + ": the root stays the root");
        }
        Node node = namespace.require(source);
        CrailPath target = resolveTarget(request);
        if (target.equals(source)) {
            return answer(node, target);
        }
        checkNotBelow(node, request, target);
        Container parent = tree.parentOf(target);
        check(node, parent, request, target);
        int slot = FileInfo.NO_SLOT;
        if (node.slot != FileInfo.NO_SLOT) {
            slot = slots.choose(parent);
            slots.ensureBlock(parent, slot);
        }
        relocate(node, parent, target.component(target.depth() - 1), slot);
        return answer(node, target);
    }

    /** A destination that is a directory takes the node in, under the node's own name. */
    private CrailPath resolveTarget(MoveRequest request) throws CrailException {
        CrailPath destination = request.destination();
        Node there = tree.find(destination);
        boolean isSource = destination.equals(request.source());
        if (there == null || isSource || !there.type().isDirectory()) {
            return destination;
        }
        byte[] above = destination.utf8();
        byte[] name = request.source().component(request.source().depth() - 1);
        byte[] joined = Arrays.copyOf(above, above.length + 1 + name.length);
        joined[above.length] = '/';
        System.arraycopy(name, 0, joined, above.length + 1, name.length);
        return CrailPath.ofUtf8(joined);
    }

    private void checkNotBelow(Node node, MoveRequest request, CrailPath target) throws CrailException {
        if (node instanceof Container && target.isBelow(request.source())) {
            throw new InvalidMoveException("cannot move " + request.source() + " to " + target
                    + ": a node cannot be below itself; choose a destination outside");
        }
    }

    private void check(Node node, Container parent, MoveRequest request, CrailPath target) throws CrailException {
        if (tree.child(parent, target.component(target.depth() - 1)) != null) {
            throw new NodeExistsException("cannot move " + request.source() + " to " + target
                    + ": a node has this path; choose another path or delete it first");
        }
        if (!parent.type().canHold(node.type())) {
            throw new NodeTypeMismatchException("cannot move " + request.source() + " to " + target + ": a "
                    + parent.type() + " holds no node of type " + node.type());
        }
    }

    private void relocate(Node node, Container parent, byte[] name, int slot) {
        Container formerParent = node.parent;
        int formerSlot = node.slot;
        tree.unlink(node);
        tree.link(node, parent, name);
        slots.occupy(parent, node, slot);
        slots.vacate(formerParent, node, formerSlot);
        long nowMs = namespace.nowMs();
        formerParent.modifiedMs = nowMs;
        parent.modifiedMs = nowMs;
    }

    private MoveResponse answer(Node node, CrailPath path) {
        return new MoveResponse(
                namespace.describe(node, WriteTokens.NONE),
                path,
                node.parent.fd,
                slots.recordBlock(node.parent, node.slot));
    }
}
