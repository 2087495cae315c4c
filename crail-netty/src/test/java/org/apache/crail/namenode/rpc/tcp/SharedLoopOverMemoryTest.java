/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.netty.TcpTierKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same, with messages that go through memory. */
class SharedLoopOverMemoryTest extends SharedLoopTest {
    @TempDir
    private Path directory;

    @Override
    void configure(CrailConfiguration conf) throws IOException {
        conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
    }

    @Override
    void assertWay(TcpRpcServer server) {
        assertThat(server.connections()).anyMatch(MemoryRpcTest::goesThroughMemory);
    }

    /** What follows happens in the loop's thread. */
    @Test
    void shouldLetThreadsThatWaitTakeWhatHasComeForAll() throws Exception {
        Answer background = send(false);
        background.get(LIMIT_S, TimeUnit.SECONDS);
        Thread own = background.follower;
        AtomicInteger byOthers = new AtomicInteger();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        Thread here = Thread.currentThread();
                        for (int asked = 0; byOthers.get() < 100 && asked < MANY; asked++) {
                            Answer answer = ask();
                            assertThat(answer.follower).isEqualTo(own);
                            if (answer.taker != own && answer.taker != here) {
                                byOthers.incrementAndGet();
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get(LIMIT_S, TimeUnit.SECONDS);
        }
        assertThat(byOthers).hasValueGreaterThanOrEqualTo(100);
    }
}
