/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.metadata.Ownership;
import org.junit.jupiter.api.Test;

class NodeTest {
    private static final Ownership ANNA = new Ownership("anna", "staff", 0755);

    private final Tree tree = new Tree(0, ANNA, 0);
    private final Container root = (Container) tree.find(CrailPath.ROOT);

    private Node place(CrailNodeType type, String name, Container parent) {
        Node node = tree.newNode(type, true, 0, 0, 0, ANNA, 0);
        tree.link(node, parent, name.getBytes(StandardCharsets.UTF_8));
        return node;
    }

    @Test
    void shouldShowItsPath() {
        Container directory = (Container) place(CrailNodeType.DIRECTORY, "d", root);
        Node file = place(CrailNodeType.DATAFILE, "caf\u00e9", directory);

        assertThat(root).hasToString("/");
        assertThat(directory).hasToString("/d");
        assertThat(file).hasToString("/d/caf\u00e9");

        tree.unlink(directory);
        assertThat(file).hasToString("d/caf\u00e9");
        assertThat(tree.newNode(CrailNodeType.DATAFILE, true, 0, 0, 0, ANNA, 0)).hasToString("(a new node)");
    }
}
