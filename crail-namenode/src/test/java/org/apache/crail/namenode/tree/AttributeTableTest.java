/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.metadata.Ownership;
import org.junit.jupiter.api.Test;

class AttributeTableTest {
    private static final Ownership ANNA = new Ownership("anna", "größe", 0640);

    @Test
    void shouldForgetAttributesWithoutUsers() {
        AttributeTable table = new AttributeTable();
        Attributes first = table.acquire(0, 0, 0, ANNA);
        Attributes same = table.acquire(0, 0, 0, new Ownership("anna", "größe", 0640));
        Attributes other = table.acquire(1, 0, 0, ANNA);
        assertThat(same).isSameAs(first);
        assertThat(other).isNotSameAs(first);
        table.release(first);
        assertThat(table.size()).isEqualTo(2);
        table.release(same);
        assertThat(table.size()).isEqualTo(1);
        assertThat(table.users()).isEqualTo(1);
    }
}
