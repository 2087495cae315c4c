/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** The free blocks of a datanode, last in first out. Not thread safe; guarded by the namespace's lock. */
final class BlockStack {
    private int[] numbers = {};
    private int size;

    /** Makes room for {@code total} blocks in all and adds those from {@code first} on, the lowest on top. */
    void addRange(int first, int total) {
        int[] grown = new int[total];
        int added = total - first;
        for (int i = 0; i < added; i++) {
            grown[i] = total - 1 - i;
        }
        System.arraycopy(numbers, 0, grown, added, size);
        numbers = grown;
        size += added;
    }

    int pop() {
        return numbers[--size];
    }

    void push(int number) {
        numbers[size++] = number;
    }

    void clear() {
        numbers = new int[0];
        size = 0;
    }

    int size() {
        return size;
    }

    void forEach(IntConsumer consumer) {
        Arrays.stream(numbers, 0, size).forEach(consumer);
    }
}
