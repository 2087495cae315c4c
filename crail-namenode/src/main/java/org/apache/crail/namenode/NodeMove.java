/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.Arrays;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidMoveException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.NotEmptyException;
import org.apache.crail.internal.Counted;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.ReplacedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.MoveResponse;

/**
 * Gives nodes other paths, and replaces what was there if asked to. Everything that can fail comes first. Not thread
 * safe; needs the namespace's write lock.
 */
final class NodeMove {
    private final Tree tree;
    private final ReplacedNodes replacedNodes;
    private final Eviction eviction;
    private final NodeDescriptions descriptions;
    private final NamenodeClock clock;

    NodeMove(Namespace namespace) {
        this.tree = namespace.tree();
        this.replacedNodes = namespace.replaced();
        this.eviction = namespace.eviction();
        this.descriptions = namespace.descriptions();
        this.clock = namespace.clock();
    }

    MoveResponse move(MoveRequest request) throws CrailException {
        CrailPath source = request.source();
        if (source.isRoot()) {
            throw new InvalidMoveException("cannot move / to " + request.destination() + ": the root stays the root");
        }
        Node node = tree.require(source);
        CrailPath target = resolveTarget(request);
        if (target.equals(source)) {
            return answer(node, target);
        }
        checkNotBelow(node, request, target);
        checkPathsBelow(node, request, target);
        Container parent = tree.parentOf(target);
        byte[] name = target.component(target.depth() - 1);
        Node replaced = tree.child(parent, name);
        check(node, parent, replaced, request, target);
        relocate(node, parent, name, replaced);
        return answer(node, target);
    }

    /** Where the node is to be, which for {@link MoveMode#INTO} depends on what is there. */
    private CrailPath resolveTarget(MoveRequest request) throws CrailException {
        CrailPath destination = request.destination();
        if (request.mode() != MoveMode.INTO) {
            if (destination.isRoot()) {
                throw new InvalidMoveException(
                        "cannot move " + request.source() + " to /: the root stays the root; choose a path below it");
            }
            return destination;
        }
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

    /** A node below that no path reaches could be neither read nor removed. */
    private static void checkPathsBelow(Node node, MoveRequest request, CrailPath target) throws CrailException {
        int before = request.source().utf8().length;
        int after = target.utf8().length;
        if (node instanceof Container container
                && after > before
                && after + container.longestBelow() > CrailPath.MAX_PATH_BYTES) {
            throw new InvalidPathException("cannot move " + request.source() + " to " + target
                    + ": paths below it have up to "
                    + (before + container.longestBelow()) + " bytes, or had since it was empty, and would have up to "
                    + (after + container.longestBelow()) + "; at most " + CrailPath.MAX_PATH_BYTES
                    + " are allowed, choose a destination with a shorter path");
        }
    }

    private static void check(Node node, Container parent, Node replaced, MoveRequest request, CrailPath target)
            throws CrailException {
        if (replaced != null && request.mode() != MoveMode.REPLACE) {
            throw new NodeExistsException("cannot move " + request.source() + " to " + target
                    + ": a node has this path; choose another path or delete it first");
        }
        if (!parent.type().canHold(node.type())) {
            throw new NodeTypeMismatchException("cannot move " + request.source() + " to " + target + ": a "
                    + parent.type() + " holds no node of type " + node.type());
        }
        if (replaced != null) {
            checkReplaceable(node, replaced, request);
        }
    }

    private static void checkReplaceable(Node node, Node replaced, MoveRequest request) throws CrailException {
        if (replaced.type() != node.type()) {
            throw new NodeTypeMismatchException("cannot replace " + request.destination() + ", a " + replaced.type()
                    + ", with " + request.source() + ", a " + node.type() + "; delete it first");
        }
        if (replaced instanceof Container container && container.childCount() > 0) {
            throw new NotEmptyException("cannot replace " + request.destination() + " with " + request.source()
                    + ": it holds " + Counted.of(container.childCount(), "node") + "; delete it recursively first");
        }
    }

    private void relocate(Node node, Container parent, byte[] name, Node replaced) {
        Container formerParent = node.parent();
        if (replaced != null) {
            tree.unlink(replaced);
        }
        tree.unlink(node);
        tree.link(node, parent, name);
        eviction.moved(node);
        if (replaced != null) {
            replacedNodes.add(replaced, clock.nanoTime());
        }
        long nowMs = clock.currentTimeMillis();
        formerParent.modifiedMs(nowMs);
        parent.modifiedMs(nowMs);
    }

    private MoveResponse answer(Node node, CrailPath path) {
        return new MoveResponse(descriptions.describe(node), path);
    }
}
