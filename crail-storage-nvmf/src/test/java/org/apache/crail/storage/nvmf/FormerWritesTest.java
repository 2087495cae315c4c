/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ClosedException;
import org.apache.crail.metadata.DataNodeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FormerWritesTest {
    private static final long VERY_LONG_MS = TimeUnit.HOURS.toMillis(1);
    private static final DataNodeInfo OTHER = new DataNodeInfo(0, 0, 0, "192.0.2.2", 4420);

    private final FormerWrites writes = new FormerWrites();
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private final CompletableFuture<Void> second = new CompletableFuture<>();

    @Test
    void shouldWaitForAllConnectionsThatHaveEnded() throws Exception {
        writes.await(ClientFixture.DATANODE, 1);
        writes.add(ClientFixture.DATANODE, first);
        writes.add(ClientFixture.DATANODE, second);
        second.complete(null);
        assertThatThrownBy(() -> writes.await(ClientFixture.DATANODE, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("could not be closed");
        writes.await(OTHER, VERY_LONG_MS);
        first.complete(null);
        writes.await(ClientFixture.DATANODE, VERY_LONG_MS);
    }

    @Test
    void shouldKeepNothingWhenTheyAreOver() {
        writes.add(ClientFixture.DATANODE, first);
        first.complete(null);
        assertThat(writes.size()).isZero();
        writes.add(ClientFixture.DATANODE, second);
        writes.add(ClientFixture.DATANODE, CompletableFuture.completedFuture(null));
        assertThat(writes.size()).isEqualTo(1);
        second.complete(null);
        assertThat(writes.size()).isZero();
    }

    @Test
    void shouldWaitForNothingWhenTheStoreIsClosed() {
        writes.add(ClientFixture.DATANODE, first);
        CompletableFuture<Throwable> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                writes.await(ClientFixture.DATANODE, VERY_LONG_MS);
                return null;
            } catch (IOException e) {
                return e;
            }
        });
        writes.close();
        assertThat(waiting.join()).isInstanceOf(ClosedException.class);
    }
}
