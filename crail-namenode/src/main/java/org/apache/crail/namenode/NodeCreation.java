/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.namenode.allocation.BlockAllocator;
import org.apache.crail.namenode.allocation.FirstBlockAllocator;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.Writer;
import org.apache.crail.namenode.tree.Writers;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;

/**
 * Creates nodes; what replaces another one gets its place later, see {@link NodePlacement}. Everything that can fail
 * comes first, so that a failure leaves no trace. Not thread safe; needs the namespace's write lock.
 */
final class NodeCreation {
    /** The storage class that stands for any. */
    private static final int NO_WISH = 0;

    private static final int CONTAINER_PERMISSION = 0755;
    private static final int FILE_PERMISSION = 0644;

    private final Tree tree;
    private final Writers writers;
    private final BlockAllocator allocator;
    private final FirstBlockAllocator firstBlocks;
    private final NodeDescriptions descriptions;
    private final NodeLifetimes lifetimes;
    private final NamenodeClock clock;
    private final int storageClasses;

    NodeCreation(Namespace namespace) {
        this.tree = namespace.tree();
        this.writers = namespace.writers();
        this.allocator = namespace.allocator();
        this.firstBlocks = namespace.firstBlocks();
        this.descriptions = namespace.descriptions();
        this.lifetimes = namespace.lifetimes();
        this.clock = namespace.clock();
        this.storageClasses = namespace.settings().storageClasses();
    }

    CreateResponse create(CreateRequest request) throws CrailException {
        CrailPath path = request.path();
        checkArguments(request);
        Container parent = tree.parentOf(path);
        checkStacking(parent, request);
        byte[] name = path.component(path.depth() - 1);
        Node replaced = tree.child(parent, name);
        boolean replaces = request.type().isKeyValue() || request.replace();
        if (replaced != null && !(replaces && NodePlacement.mayReplace(request.type(), replaced))) {
            throw new NodeExistsException("cannot create " + path + ": a " + replaced.type()
                    + " has this path; choose another path or delete it first");
        }
        int storageClass = inherit(wantedClass(request), parent.storageClass());
        int locationClass = inherit(request.locationClass(), parent.locationClass());
        long nowNs = clock.nanoTime();
        long firstBlock = allocateFirst(request, parent, replaced, storageClass, locationClass, nowNs);

        Ownership ownership = ownership(request, parent.ownership());
        Node node = tree.newNode(
                request.type(),
                request.enumerable(),
                storageClass,
                locationClass,
                request.timeToLiveMs() < 0 ? parent.timeToLiveMs() : request.timeToLiveMs(),
                ownership,
                clock.currentTimeMillis());
        firstBlocks.give(node, parent, replaced, firstBlock);
        tree.assign(node, parent, name);
        tree.add(node);
        lifetimes.begin(node, nowNs);
        if (replaced == null) {
            tree.place(node);
            parent.modifiedMs(node.modifiedMs());
        }
        return new CreateResponse(
                descriptions.describe(node, grant(node, replaced == null, nowNs)),
                descriptions.locate(node, 0),
                replaced == null);
    }

    private long grant(Node node, boolean isPlaced, long nowNs) {
        if (node instanceof Container) {
            return Writers.NONE;
        }
        Writer writer = writers.grant(node, true, nowNs);
        if (!isPlaced) {
            writer.awaitPlace();
        }
        return writer.token();
    }

    private void checkArguments(CreateRequest request) throws CrailException {
        if (request.path().isRoot()) {
            throw new NodeExistsException("cannot create /: the root always exists");
        }
        if (request.type() == CrailNodeType.STREAMFILE) {
            throw new NodeTypeMismatchException(
                    "cannot create " + request.path() + ": nodes of type STREAMFILE do not exist; use DATAFILE");
        }
        NodeLifetimes.check(request.path(), "time to live", request.timeToLiveMs());
        if (request.ownership() != null) {
            StatusChanges.check(request.path(), request.ownership());
        }
    }

    private static void checkStacking(Container parent, CreateRequest request) throws NodeTypeMismatchException {
        if (!parent.type().canHold(request.type())) {
            throw new NodeTypeMismatchException("cannot create " + request.path() + ": a " + parent.type()
                    + " holds no node of type " + request.type());
        }
    }

    /** A class that the cluster does not have is no wish, as in 1.x. */
    private int wantedClass(CreateRequest request) {
        return request.storageClass() < storageClasses ? request.storageClass() : NO_WISH;
    }

    private static int inherit(int own, int parents) {
        return own < 0 ? parents : own;
    }

    private long allocateFirst(
            CreateRequest request, Container parent, Node replaced, int storageClass, int locationClass, long nowNs)
            throws CrailException {
        if (request.type().isContainer()) {
            return BlockStore.NO_BLOCK;
        }
        long block = firstBlocks.find(parent, replaced, storageClass, locationClass, nowNs);
        return allocator.require(block, request.path(), nowNs);
    }

    /** What is not said is as with the parent. */
    private static Ownership ownership(CreateRequest request, Ownership parents) {
        Ownership wanted = request.ownership();
        if (wanted == null) {
            int permission = request.type().isContainer() ? CONTAINER_PERMISSION : FILE_PERMISSION;
            return new Ownership(parents.owner(), parents.group(), permission);
        }
        return wanted.owner().isEmpty() || wanted.group().isEmpty()
                ? new Ownership(
                        wanted.owner().isEmpty() ? parents.owner() : wanted.owner(),
                        wanted.group().isEmpty() ? parents.group() : wanted.group(),
                        wanted.permission())
                : wanted;
    }
}
