/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

/** The children of a container by name: the bytes of the name, not a digest of them. Not thread safe, as its base. */
final class ChildTable extends NodeTable {
    @Override
    int hashOf(Node node) {
        return node.nameHash;
    }

    /** The child whose name is a range of bytes with this hash, or null. */
    Node find(byte[] bytes, int from, int to, int hash) {
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
                if (node != null && node.nameHash == hash && node.isNamed(bytes, from, to)) {
                    return node;
                }
            }
            i = i + 1 & mask;
        }
        return null;
    }

    Node find(byte[] name, int hash) {
        return find(name, 0, name.length, hash);
    }
}
