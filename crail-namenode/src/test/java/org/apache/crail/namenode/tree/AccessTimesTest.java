/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.junit.jupiter.api.Test;

class AccessTimesTest {
    @Test
    void shouldForgetTimesOfNodesThatAreGone() {
        AccessTimes times = new AccessTimes();
        Node node = new Node(5, CrailNodeType.DATAFILE, true, null);
        node.modifiedMs = 3;
        assertThat(times.of(node)).isEqualTo(3);
        times.set(node, 4);
        assertThat(times.of(node)).isEqualTo(4);
        times.forget(node);
        assertThat(times.of(node)).isEqualTo(3);
        assertThat(times.size()).isZero();
    }
}
