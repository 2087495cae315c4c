/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.NodeStatus;

/**
 * A path in one of the stores that a command works on. All methods are thread safe.
 *
 * @param tree the namespace of the store
 * @param path the path in it
 */
record RemotePath(NamespaceTree tree, CrailPath path) {
    /** The node, or null. */
    CrailNode find() throws Exception {
        return tree.find(path);
    }

    /** The node, which must exist. */
    CrailNode require() throws Exception {
        return tree.require(path);
    }

    /** What is known of the node, which must exist. */
    NodeStatus status() throws Exception {
        return tree.status(path);
    }

    RemotePath child(String name) throws CrailException {
        return new RemotePath(tree, path.child(name));
    }

    /** The container that holds a child with this name, or the path itself. */
    RemotePath into(boolean directory, String name) throws CrailException {
        return directory && !name.isEmpty() ? child(name) : this;
    }

    /** Visits a node with all that is below it: a container before its children, and those by name. */
    void walk(NodeStatus status, Visitor visitor) throws Exception {
        visitor.visit(this, status);
        if (status.file().getType().isContainer()) {
            for (NodeStatus child : tree.statuses(path)) {
                child(child.name()).walk(child, visitor);
            }
        }
    }

    /** As a user would write it. */
    @Override
    public String toString() {
        return tree.prefix() + path;
    }

    /** Told of a node. */
    interface Visitor {
        void visit(RemotePath path, NodeStatus status) throws Exception;
    }
}
