/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedBlocksTest {
    private static final int PARTS = 16;

    private final SharedBlocks shared = new SharedBlocks(PARTS);
    private final List<Integer> renewed = new ArrayList<>();
    private int taken;

    private SharedBlock take(boolean blockIsFree) {
        return shared.takeFrom(() -> blockIsFree ? taken++ : -1, renewed::add);
    }

    @Test
    void shouldRememberNothingOfABlockThatIsFreeAgain() {
        for (int cycle = 0; cycle < 3; cycle++) {
            SharedBlock block = take(true);
            for (int part = 0; part < PARTS; part++) {
                block.take();
            }
            assertThat(shared.hasRoom()).isFalse();
            for (int part = 0; part < PARTS - 1; part++) {
                assertThat(shared.give(block.number(), part)).isFalse();
                assertThat(shared.hasRoom()).isTrue();
            }
            assertThat(shared.give(block.number(), PARTS - 1)).isTrue();
            assertThat(shared.hasRoom()).isFalse();
            assertThat(shared.returnedParts()).isZero();
        }
        assertThat(renewed).isEmpty();
    }

    @Test
    void shouldRenewABlockOnceForAllPartsThatCameBack() {
        SharedBlock block = take(true);
        for (int part = 0; part < PARTS; part++) {
            block.take();
        }
        shared.give(block.number(), 3);
        shared.give(block.number(), 5);
        SharedBlock again = take(false);
        assertThat(again).isSameAs(block);
        assertThat(List.of(again.take(), again.take())).containsExactly(3, 5);
        assertThat(renewed).containsExactly(block.number());
        assertThat(shared.hasRoom()).isFalse();
        assertThat(shared.returnedParts()).isZero();
    }

    @Test
    void shouldRenewTheBlockOfWhichMostPartsCameBack() {
        for (int number = 0; number < 3; number++) {
            SharedBlock block = take(true);
            for (int part = 0; part < PARTS; part++) {
                block.take();
            }
        }
        shared.give(0, 1);
        shared.give(1, 1);
        shared.give(1, 2);
        shared.give(2, 1);
        assertThat(take(false).number()).isEqualTo(1);
        assertThat(renewed).containsExactly(1);
    }

    /** Values that are replaced at once spread over blocks; replaced by and by they come together again. */
    @Test
    void shouldNeedFewBlocksAgainWhenValuesAreReplacedSlowly() {
        Random random = new Random(1);
        int values = 50 * PARTS;
        Deque<long[]> waiting = new ArrayDeque<>();
        List<long[]> places = new ArrayList<>();
        for (int i = 0; i < values; i++) {
            places.add(place());
        }
        replace(places, waiting, random, 10_000, 4 * values);
        assertThat(shared.all().size()).isGreaterThan(200);

        replace(places, waiting, random, 20_000, PARTS);

        assertThat(shared.all().size()).isLessThan(80);
    }

    /** Replaces values; so many former ones wait before their parts come back. */
    private void replace(List<long[]> places, Deque<long[]> waiting, Random random, int times, int mostWaiting) {
        for (int i = 0; i < times; i++) {
            waiting.add(places.set(random.nextInt(places.size()), place()));
            while (waiting.size() > mostWaiting) {
                long[] former = waiting.remove();
                boolean ignored = shared.give((int) former[0], (int) former[1]);
            }
        }
    }

    private long[] place() {
        SharedBlock block = take(true);
        return new long[] {block.number(), block.take()};
    }
}
