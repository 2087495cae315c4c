/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NotEmptyException;
import org.apache.crail.internal.Counted;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;

/** Removes nodes. Not thread safe; needs the namespace's write lock. */
final class NodeRemoval {
    private final Tree tree;
    private final RemovedNodes removed;
    private final NodeDescriptions descriptions;
    private final NamenodeClock clock;

    NodeRemoval(Namespace namespace) {
        this.tree = namespace.tree();
        this.removed = namespace.removed();
        this.descriptions = namespace.descriptions();
        this.clock = namespace.clock();
    }

    RemoveResponse remove(RemoveRequest request) throws CrailException {
        CrailPath path = request.path();
        if (path.isRoot()) {
            throw new InvalidRequestException("cannot remove /: the root always exists; remove its children");
        }
        Node node = tree.require(path);
        if (!request.recursive() && node instanceof Container container && container.childCount() > 0) {
            throw new NotEmptyException("cannot remove " + path + ": it holds "
                    + Counted.of(container.childCount(), "node") + "; remove it recursively");
        }
        FileInfo before = descriptions.describe(node);
        Container parent = node.parent();
        long nowNs = clock.nanoTime();
        tree.unlink(node);
        parent.modifiedMs(clock.currentTimeMillis());
        removed.add(node, nowNs);
        return new RemoveResponse(before, parent.fd());
    }
}
