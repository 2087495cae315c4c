/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.storage.Advanceable;
import org.junit.jupiter.api.Test;

/** Which transfer of an operation is brought forward by who waits. */
class CoreDataOperationTest {
    private static final int LIMIT_S = 20;

    private final CoreDataOperation operation =
            new CoreDataOperation(new CoreIOStatistics("core/input", true), "/f", 2, 1, false);

    private static final class FakeTransfer extends CompletableFuture<Integer> implements Advanceable {
        final AtomicInteger leaves = new AtomicInteger();
        private final Runnable onAdvance;

        FakeTransfer(Runnable onAdvance) {
            this.onAdvance = onAdvance;
        }

        @Override
        public void advance(Future<?> awaited, long limitNs) {
            onAdvance.run();
        }

        @Override
        public void leave() {
            leaves.incrementAndGet();
        }
    }

    @Test
    void shouldBringTheLatestForwardAndLeaveTheOthers() throws Exception {
        AtomicInteger advances = new AtomicInteger();
        FakeTransfer first = new FakeTransfer(() -> advances.addAndGet(100));
        FakeTransfer second = new FakeTransfer(() -> {
            advances.incrementAndGet();
            operation.partDone(null);
        });
        operation.began(first);
        operation.began(second);
        operation.began(new CompletableFuture<>());

        operation.get(LIMIT_S, TimeUnit.SECONDS);

        assertThat(first.leaves).hasValue(1);
        assertThat(second.leaves).hasValue(0);
        assertThat(advances).hasValue(1);
    }
}
