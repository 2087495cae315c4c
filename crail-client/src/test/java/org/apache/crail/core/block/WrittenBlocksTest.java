/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.junit.jupiter.api.Test;

/** Which blocks a stream gives up, and when what it writes counts. */
class WrittenBlocksTest {
    private static final LeasedBlock BLOCK = at("bad");
    private static final LeasedBlock OTHER = at("good");

    private final WrittenBlocks blocks = new WrittenBlocks();
    private final AtomicInteger asked = new AtomicInteger();
    private CompletableFuture<LeasedBlock> answer = new CompletableFuture<>();

    private static LeasedBlock at(String host) {
        return new LeasedBlock(3, new BlockInfo(new DataNodeInfo(0, 0, 0, host, 1), 0, 0, 4096, 1, 1), 0);
    }

    private CompletableFuture<LeasedBlock> giveUp() {
        return blocks.giveUp(BLOCK, () -> {
            asked.incrementAndGet();
            return answer;
        });
    }

    @Test
    void shouldNotGiveUpABlockThatHoldsBytes() {
        assertThat(blocks.add(BLOCK)).isTrue();
        assertThat(giveUp()).isNull();
    }

    @Test
    void shouldAskOnceForAllThatGiveTheSameBlockUp() {
        CompletableFuture<LeasedBlock> first = giveUp();
        CompletableFuture<LeasedBlock> second = giveUp();
        assertThat(blocks.add(BLOCK)).isFalse();
        answer.complete(OTHER);
        assertThat(first).isCompletedWithValue(OTHER);
        assertThat(second).isCompletedWithValue(OTHER);
        assertThat(asked).hasValue(1);
    }

    @Test
    void shouldTellLaterOnesOfTheOtherBlockAlsoWhenSomethingIsInIt() {
        CompletableFuture<LeasedBlock> ignored = giveUp();
        answer.complete(OTHER);
        assertThat(blocks.add(OTHER)).isTrue();
        assertThat(giveUp()).isCompletedWithValue(OTHER);
        assertThat(blocks.add(BLOCK)).isFalse();
    }

    @Test
    void shouldTakeABlockBackForWhichThereIsNoOther() {
        CompletableFuture<LeasedBlock> same = giveUp();
        answer.complete(at("bad"));
        assertThat(same).isCompleted();
        assertThat(blocks.add(BLOCK)).isTrue();
        assertThat(giveUp()).isNull();
    }

    @Test
    void shouldAskAgainWhenThereWasNoAnswer() {
        CompletableFuture<LeasedBlock> failed = giveUp();
        answer.completeExceptionally(new OperationTimeoutException("no answer"));
        assertThat(failed).isCompletedExceptionally();
        assertThat(blocks.add(BLOCK)).isFalse();

        answer = new CompletableFuture<>();
        CompletableFuture<LeasedBlock> again = giveUp();
        answer.complete(OTHER);
        assertThat(again).isCompletedWithValue(OTHER);
    }
}
