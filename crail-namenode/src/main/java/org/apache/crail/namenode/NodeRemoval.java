/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NotEmptyException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;

/** Removes nodes. Not thread safe; needs the namespace's write lock. */
final class NodeRemoval {
    private final Namespace namespace;

    NodeRemoval(Namespace namespace) {
        this.namespace = namespace;
    }

    RemoveResponse remove(RemoveRequest request) throws CrailException {
        CrailPath path = request.path();
        if (path.isRoot()) {
            throw new InvalidRequestException("cannot remove /: the root always exists; remove its children");
        }
        Node node = namespace.require(path);
        if (!request.recursive() && node instanceof Container container && container.children.size() > 0) {
            throw new NotEmptyException("cannot remove " + path + ": it holds " + container.children.size()
                    + " nodes; remove it recursively");
        }
        FileInfo before = namespace.describe(node, Writers.NONE);
        Container parent = node.parent;
        namespace.tree().unlink(node);
        namespace.recordSlots().vacate(parent, node, node.slot);
        parent.modifiedMs = namespace.nowMs();
        namespace.takeApart(node);
        return new RemoveResponse(before, parent.fd);
    }
}
