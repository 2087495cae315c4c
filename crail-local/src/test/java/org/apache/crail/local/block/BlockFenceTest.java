/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BlockFenceTest {
    private static final int BLOCK = 2;

    private final BlockFence fence = BlockFence.inProcess(4);

    @Test
    void shouldAdmitHigherEpochsAndRefuseLowerOnes() {
        assertThat(fence.admit(BLOCK, 7)).isTrue();
        assertThat(fence.admit(BLOCK, 7)).isTrue();
        assertThat(fence.admit(BLOCK, 8)).isTrue();
        assertThat(fence.admit(BLOCK, 7)).isFalse();
        assertThat(fence.admit(BLOCK + 1, 7)).isTrue();
    }

    @Test
    void shouldLetNobodyWriteWithALowerEpoch() {
        fence.admit(BLOCK, 7);
        assertThat(fence.enter(BLOCK, 7)).isTrue();
        fence.leave(BLOCK, 7);
        fence.admit(BLOCK, 8);

        assertThat(fence.enter(BLOCK, 7)).isFalse();
        assertThat(fence.enter(BLOCK, 8)).isTrue();
    }

    @Test
    @Timeout(60)
    void shouldAdmitAHigherEpochOnlyWhenNobodyWritesWithALowerOne() throws InterruptedException, ExecutionException {
        fence.admit(BLOCK, 7);
        fence.enter(BLOCK, 7);
        FutureTask<Boolean> admission = new FutureTask<>(() -> fence.admit(BLOCK, 8));
        Thread newOwner = new Thread(admission);
        newOwner.start();
        while (fence.isCurrent(BLOCK, 7)) {
            Thread.onSpinWait();
        }

        while (newOwner.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait(); // it sleeps rather than to take a processor until a disk has written
        }
        assertThat(admission.isDone()).isFalse();
        fence.leave(BLOCK, 7);
        assertThat(admission.get()).isTrue();
        newOwner.join();
    }

    /** Small values of different writers share a block: if these waited for each other, this test would not end. */
    @Test
    @Timeout(30)
    void shouldNotLetThoseOfOneEpochWaitForEachOther() {
        fence.admit(BLOCK, 7);
        assertThat(fence.enter(BLOCK, 7)).isTrue();
        assertThat(fence.admit(BLOCK, 7)).isTrue();
        assertThat(fence.enter(BLOCK, 7)).isTrue();
        assertThat(fence.tryClear(BLOCK, 7)).isTrue();
    }

    @Test
    void shouldNotTakeAnEpochForClearedThatWasOnlyRaised() throws InterruptedException, ExecutionException {
        fence.admit(BLOCK, 7);
        fence.enter(BLOCK, 7);
        assertThat(fence.raise(BLOCK, 8)).isTrue();
        assertThat(fence.tryClear(BLOCK, 8)).isFalse();
        FutureTask<Boolean> admission = new FutureTask<>(() -> fence.admit(BLOCK, 8));
        Thread newOwner = new Thread(admission);
        newOwner.start();

        assertThatThrownBy(() -> admission.get(20, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        fence.leave(BLOCK, 7);
        assertThat(admission.get()).isTrue();
        assertThat(fence.tryClear(BLOCK, 8)).isTrue();
        newOwner.join();
    }
}
