/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyValueTest {
    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(100);
        namenode.table("/t");
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    @Test
    void shouldLetTheLastPutWin() throws CrailException {
        FileInfo first = namenode.put("/t/k").file();
        FileInfo second = namenode.put("/t/k").file();
        namenode.close(second, 1);

        assertThat(namenode.info("/t/k").getFd()).isEqualTo(second.getFd()).isNotEqualTo(first.getFd());
        assertThat(namenode.info("/t").children()).isEqualTo(1);
    }

    @Test
    void shouldMakeTheReplacedValueStale() throws CrailException {
        FileInfo first = namenode.put("/t/k").file();
        namenode.close(first, 1);
        namenode.close(namenode.put("/t/k").file(), 1);

        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(first.getFd(), 0, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(first, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.extend(first, 1));
    }

    @Test
    void shouldListTheNewValueInThePlaceOfTheReplacedOne() throws CrailException {
        namenode.put("/t/a");
        namenode.put("/t/b");
        namenode.put("/t/c");
        List<String> order = namenode.children("/t", 3);
        FileInfo second = namenode.put("/t/b").file();
        namenode.close(second, 1);

        namenode.assertListed("/t", "a", "b", "c");
        assertThat(namenode.children("/t", 3)).isEqualTo(order);
        assertThat(namenode.statuses("/t", 3))
                .filteredOn(child -> child.name().equals("b"))
                .singleElement()
                .satisfies(child -> assertThat(child.file().getFd()).isEqualTo(second.getFd()));
    }

    @Test
    void shouldListNothingWhenTheNewValueIsNotEnumerable() throws CrailException {
        namenode.close(namenode.put("/t/a").file(), 1);
        namenode.close(namenode.hiddenPut("/t/a").file(), 1);
        assertThat(namenode.info("/t/a").isEnumerable()).isFalse();
        namenode.assertListed("/t");
        assertThat(namenode.children("/t", 1)).containsExactly("a");

        namenode.close(namenode.put("/t/a").file(), 1);
        assertThat(namenode.info("/t/a").isEnumerable()).isTrue();
        namenode.assertListed("/t", "a");
    }

    @Test
    void shouldReclaimTheReplacedValueAfterTheDelay() throws CrailException {
        namenode.close(namenode.put("/t/k").file(), 1);
        long before = namenode.check().free();
        namenode.close(namenode.put("/t/k").file(), 1);
        assertThat(namenode.check().pending()).isEqualTo(1);
        assertThat(namenode.check().free()).isEqualTo(before - 1);

        namenode.reclaimAll();
        assertThat(namenode.check().pending()).isZero();
        assertThat(namenode.check().free()).isEqualTo(before);
    }
}
