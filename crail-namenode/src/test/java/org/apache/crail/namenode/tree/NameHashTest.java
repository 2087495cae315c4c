/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NameHashTest {
    private static final NameHash HASH = new NameHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length + 2];
        for (int i = 0; i < length; i++) {
            bytes[i + 1] = (byte) i;
        }
        return bytes;
    }

    /** The example of the paper, and the first of its reference vectors, with two rounds and four at the end. */
    @Test
    void shouldBeSipHash() {
        assertThat(HASH.hash(bytes(15), 1, 16, 2, 4)).isEqualTo(0xa129ca6149be45e5L);
        assertThat(HASH.hash(bytes(0), 1, 1, 2, 4)).isEqualTo(0x726fdb47dd0e0e31L);
        assertThat(HASH.hash(bytes(8), 1, 9, 2, 4)).isEqualTo(0x93f5f5799a932462L);
    }

    @Test
    void shouldDependOnTheKey() {
        byte[] name = bytes(10);
        assertThat(new NameHash(1, 2).of(name)).isNotEqualTo(new NameHash(1, 3).of(name));
        assertThat(HASH.of(name, 1, 11)).isEqualTo(HASH.of(java.util.Arrays.copyOfRange(name, 1, 11)));
    }
}
