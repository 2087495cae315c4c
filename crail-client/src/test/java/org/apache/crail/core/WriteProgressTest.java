/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NoFreeBlocksException;
import org.junit.jupiter.api.Test;

class WriteProgressTest {
    private final List<Long> grown = new ArrayList<>();
    private final WriteProgress progress = new WriteProgress(100, grown::add);
    private final CrailException full = new NoFreeBlocksException("full");

    @Test
    void shouldGrowOnlyWithoutAGap() {
        WriteProgress.Write first = progress.begin(110);
        WriteProgress.Write second = progress.begin(120);
        WriteProgress.Write third = progress.begin(130);
        progress.end(second, null);
        assertThat(progress.capacity()).isEqualTo(100);
        progress.end(first, null);
        assertThat(progress.capacity()).isEqualTo(120);
        progress.end(third, null);
        assertThat(grown).containsExactly(120L, 130L);
    }

    @Test
    void shouldStopGrowingAtAWriteThatFailed() {
        WriteProgress.Write first = progress.begin(110);
        WriteProgress.Write second = progress.begin(120);
        WriteProgress.Write third = progress.begin(130);
        progress.end(second, full);
        progress.end(third, null);
        progress.end(first, null);
        assertThat(progress.capacity()).isEqualTo(110);
        assertThat(progress.failure()).isSameAs(full);
    }

    @Test
    void shouldTellWhenAPositionIsReached() {
        WriteProgress.Write first = progress.begin(110);
        WriteProgress.Write second = progress.begin(120);
        CompletableFuture<Void> half = progress.reached(110);
        CompletableFuture<Void> all = progress.reached(120);
        progress.end(second, null);
        assertThat(half).isNotDone();
        progress.end(first, null);
        assertThat(half).isCompleted();
        assertThat(all).isCompleted();
        assertThat(progress.reached(120)).isCompleted();
    }

    @Test
    void shouldFailToReachWhatLiesBehindAFailedWrite() {
        WriteProgress.Write first = progress.begin(110);
        WriteProgress.Write second = progress.begin(120);
        CompletableFuture<Void> half = progress.reached(110);
        CompletableFuture<Void> all = progress.reached(120);
        progress.end(second, full);
        assertThat(all).isNotDone();
        progress.end(first, null);
        assertThat(half).isCompleted();
        assertThatThrownBy(all::join).hasCause(full);
        assertThatThrownBy(() -> progress.reached(120).join()).hasCause(full);
    }
}
