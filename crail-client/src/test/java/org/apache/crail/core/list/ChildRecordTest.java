/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.crail.rpc.message.RecordKey;
import org.junit.jupiter.api.Test;

class ChildRecordTest {
    private static final int SIZE = 320;

    private static ByteBuffer encoded(String name) {
        ByteBuffer page = ByteBuffer.allocate(3 * SIZE);
        page.position(SIZE).limit(2 * SIZE);
        new ChildRecord("/dir", name, 42, 7, true).encode(page);
        assertThat(page.hasRemaining()).isFalse();
        page.clear();
        return page;
    }

    private static ChildRecord decode(ByteBuffer page) {
        return ChildRecord.decode(page, SIZE, SIZE, "/dir");
    }

    /** D37: names are UTF-8, whatever the platform. */
    @Test
    void shouldReadBackWhatWasWritten() {
        ChildRecord record = decode(encoded("Ω-größe-文件"));
        assertThat(record.name()).isEqualTo("Ω-größe-文件");
        assertThat(record.parent()).isEqualTo("/dir");
        assertThat(record.path()).isEqualTo("/dir/Ω-größe-文件");
        assertThat(record.belongsTo(7, key(42, "Ω-größe-文件"))).isTrue();
    }

    @Test
    void shouldHoldTheLongestNameInTheSmallestRecord() {
        String longest = "x".repeat(255);
        assertThat(decode(encoded(longest)).name()).isEqualTo(longest);
    }

    @Test
    void shouldNotBeValidBeforeTheNamenodeConfirms() {
        ChildRecord record = decode(encoded("a"));
        assertThat(record.isValid()).isFalse();
        assertThat(record.confirmed(true).isValid()).isTrue();
    }

    @Test
    void shouldNotBelongToAnotherNodeOrContainer() {
        ChildRecord record = decode(encoded("a"));
        assertThat(record.belongsTo(7, key(43, "a"))).isFalse();
        assertThat(record.belongsTo(8, key(42, "a"))).isFalse();
    }

    @Test
    void shouldNotBelongToItsNodeUnderAnotherName() {
        ChildRecord record = decode(encoded("a"));
        assertThat(record.belongsTo(7, key(42, "a"))).isTrue();
        assertThat(record.belongsTo(7, key(42, "c"))).isFalse();
    }

    private static long key(long fd, String name) {
        return RecordKey.of(fd, name.getBytes(StandardCharsets.UTF_8));
    }

    /** D18: a record that was not written completely is never shown. */
    @Test
    void shouldRefuseARecordWithAnyByteChanged() {
        int used = 4 + 4 + "some-name".length() + 8 + 8 + 4;
        for (int i = 0; i < used; i++) {
            ByteBuffer page = encoded("some-name");
            page.put(SIZE + i, (byte) (page.get(SIZE + i) ^ 0x40));
            assertThat(decode(page)).as("byte %s", i).isNull();
        }
    }

    @Test
    void shouldRefuseEmptySpaceAndNonsense() {
        assertThat(decode(ByteBuffer.allocate(3 * SIZE))).isNull();
        ByteBuffer nonsense = ByteBuffer.allocate(3 * SIZE);
        nonsense.putInt(SIZE, 1).putInt(SIZE + 4, Integer.MAX_VALUE);
        assertThat(decode(nonsense)).isNull();
    }

    @Test
    void shouldNameChildrenOfTheRoot() {
        assertThat(new ChildRecord("/", "a", 1, 2, true).path()).isEqualTo("/a");
    }
}
