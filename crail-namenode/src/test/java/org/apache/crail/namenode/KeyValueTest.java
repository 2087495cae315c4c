/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.PARENT;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
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
    void shouldTakeOverTheSlotOfTheReplacedValue() throws CrailException {
        namenode.put("/t/a");
        FileInfo first = namenode.put("/t/b").file();
        namenode.put("/t/c");
        FileInfo second = namenode.put("/t/b").file();
        namenode.close(second, 1);

        assertThat(namenode.info("/t/b").slot()).isEqualTo(first.slot());
        assertThat(namenode.slots(namenode.info("/t").getFd()).get(first.slot()))
                .isEqualTo(Fixture.key(second, "b"));
        assertThat(namenode.info("/t").getCapacity()).isEqualTo(3L * Fixture.RECORD);
    }

    @Test
    void shouldFreeTheSlotWhenTheNewValueIsNotEnumerable() throws CrailException {
        namenode.close(namenode.put("/t/a").file(), 1);
        FileInfo hidden = namenode.create("/t/a", CrailNodeType.KEYVALUE, PARENT, PARENT, false)
                .file();
        namenode.close(hidden, 1);
        assertThat(namenode.info("/t/a").isEnumerable()).isFalse();
        assertThat(namenode.info("/t").children()).isZero();
        assertThat(namenode.info("/t").getCapacity()).isZero();

        namenode.close(namenode.put("/t/a").file(), 1);
        assertThat(namenode.info("/t/a").slot()).isZero();
        assertThat(namenode.info("/t").children()).isEqualTo(1);
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
