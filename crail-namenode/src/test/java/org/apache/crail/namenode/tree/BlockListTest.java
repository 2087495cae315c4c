/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockListTest {
    private long next = 1;

    private static List<Long> all(BlockList blocks) {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            all.add(blocks.get(i));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldBehaveAsAListThatIsCut(long seed) {
        Random random = new Random(seed);
        BlockList blocks = new BlockList();
        List<Long> model = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            int count = random.nextInt(random.nextInt(4) == 0 ? 3 * BlockList.CHUNK : 20);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    for (int i = 0; i < count; i++, next++) {
                        blocks.add(next);
                        model.add(next);
                    }
                }
                case 2 -> {
                    for (int i = Math.min(count, model.size()); i > 0; i--) {
                        assertThat(blocks.removeLast()).isEqualTo(model.remove(model.size() - 1));
                    }
                }
                case 3 -> {
                    if (!model.isEmpty()) {
                        int index = random.nextInt(model.size());
                        blocks.set(index, next);
                        model.set(index, next++);
                    }
                }
                default -> {
                    int from = random.nextInt(3) == 0
                            ? random.nextInt(model.size() / BlockList.CHUNK + 1) * BlockList.CHUNK
                            : random.nextInt(model.size() + 1);
                    BlockList rest = blocks.split(from);
                    assertThat(all(rest)).containsExactlyInAnyOrderElementsOf(model.subList(from, model.size()));
                    rest.add(next);
                    assertThat(rest.removeLast()).isEqualTo(next++);
                    model.subList(from, model.size()).clear();
                }
            }
            assertThat(all(blocks)).isEqualTo(model);
        }
    }
}
