/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.Tree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LengthPredictorTest {
    private static final Ownership ANNA = new Ownership("anna", "staff", 0640);
    private static final int SMALL = 1024;

    private final Tree tree = new Tree(0, ANNA, 0);
    private final Container table = (Container) tree.newNode(CrailNodeType.TABLE, true, 0, 0, 0, ANNA, 0);
    private final LengthPredictor lengths = new LengthPredictor(SMALL);
    private byte names;

    @BeforeEach
    void linkTable() throws CrailException {
        tree.link(table, (Container) tree.require(CrailPath.ROOT), new byte[] {'t'});
    }

    private Node close(long capacityBytes) {
        Node value = tree.newNode(CrailNodeType.KEYVALUE, true, 0, 0, 0, ANNA, 0);
        tree.link(value, table, new byte[] {names++});
        value.capacityBytes(capacityBytes);
        lengths.closed(value);
        return value;
    }

    @Test
    void shouldPredictOneLongValueForEachThatWasClosedForTheFirstTime() {
        assertThat(lengths.isNextLong(table)).isFalse();
        Node value = close(SMALL + 1);
        lengths.closed(value);
        assertThat(lengths.isNextLong(table)).isTrue();
        lengths.created(table);
        assertThat(lengths.isNextLong(table)).isFalse();
    }

    @Test
    void shouldBelieveTheNextLongValuesLessAfterShortOnes() {
        close(SMALL + 1);
        close(SMALL + 1);
        close(SMALL);
        assertThat(lengths.isNextLong(table)).isFalse();
        close(SMALL + 1);
        close(SMALL + 1);
        assertThat(lengths.isNextLong(table)).isFalse();
        close(SMALL + 1);
        assertThat(lengths.isNextLong(table)).isTrue();
    }

    @Test
    void shouldLearnNothingFromEmptyValues() {
        close(SMALL + 1);
        close(0);
        assertThat(lengths.isNextLong(table)).isTrue();
    }
}
