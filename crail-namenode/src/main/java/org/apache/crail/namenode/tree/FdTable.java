/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

/** Nodes by id. Not thread safe, as its base. */
final class FdTable extends NodeTable {
    @Override
    int hashOf(Node node) {
        return NameHash.of(node.fd);
    }

    /** The node with this id, or null. */
    Node find(long fd) {
        int hash = NameHash.of(fd);
        Segment segment = segment(hash);
        if (segment == null) {
            return null;
        }
        byte[] tags = segment.tags;
        byte tag = Segment.tag(hash);
        int mask = tags.length - 1;
        int i = hash & mask;
        for (int probes = 0; probes <= mask && tags[i] != 0; probes++) {
            if (tags[i] == tag) {
                Node node = segment.nodes[i];
                if (node != null && node.fd == fd) {
                    return node;
                }
            }
            i = i + 1 & mask;
        }
        return null;
    }
}
