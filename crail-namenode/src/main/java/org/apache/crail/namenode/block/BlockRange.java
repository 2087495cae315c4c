/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.function.IntConsumer;

/**
 * Consecutive blocks of a datanode. Immutable.
 *
 * @param begin the number of the first one
 * @param end the number behind the last one
 */
record BlockRange(int begin, int end) {
    int count() {
        return end - begin;
    }

    BlockRange withoutFirst() {
        return new BlockRange(begin + 1, end);
    }

    void forEach(IntConsumer consumer) {
        for (int number = begin; number < end; number++) {
            consumer.accept(number);
        }
    }
}
