/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.TestDirectories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody cuts the file of a fence short: the process survives, and who uses the fence is told at once, and nobody
 * else.
 */
class CutFenceTest {
    private static final int BLOCK = 1;
    private static final int BLOCK_BYTES = 4096;

    /** Until the code has been compiled. */
    private static final int MANY = 50_000;

    @TempDir(factory = LocalRegionsTest.InMemory.class)
    private Path path;

    private DataDirectory directory;
    private BlockFence fence;

    @BeforeEach
    void makeFence() throws Exception {
        directory = TestDirectories.claim(path, "some-any-1");
        MappedRegion region = directory.createRegion(4 * BLOCK_BYTES, BLOCK_BYTES);
        fence = directory.shareRegion(region, 0, new RegionName(1, 0, 0, 0)).orElseThrow();
    }

    @AfterEach
    void close() {
        directory.close();
    }

    private void use(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(fence.admit(BLOCK, 7) && fence.enter(BLOCK, 7) && fence.isCurrent(BLOCK, 7))
                    .isTrue();
            fence.leave(BLOCK, 7);
        }
    }

    private void cut() throws IOException {
        Path file = FenceFile.beside(directory.path().resolve("region-0"));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    private void assertThatItIsTold(Runnable use) {
        assertThatThrownBy(use::run).isInstanceOf(InternalError.class);
        assertThatCode(MemoryFaults::raise).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, MANY})
    void shouldTellWhoLeaves(int before) throws Exception {
        use(before);
        assertThat(fence.enter(BLOCK, 7)).isTrue();
        cut();
        assertThatItIsTold(() -> fence.leave(BLOCK, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, MANY})
    void shouldTellWhoEnters(int before) throws Exception {
        use(before);
        cut();
        assertThatItIsTold(() -> fence.enter(BLOCK, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, MANY})
    void shouldTellWhoLooksWhetherAnEpochIsCurrent(int before) throws Exception {
        use(before);
        cut();
        assertThatItIsTold(() -> fence.isCurrent(BLOCK, 7));
    }

    @Test
    void shouldTellWhoWaitsForThoseWhoCannotLeaveAnyMore() throws Exception {
        use(1);
        assertThat(fence.enter(BLOCK, 7)).isTrue();
        FutureTask<Boolean> admission = new FutureTask<>(() -> fence.admit(BLOCK, 8));
        Thread owner = new Thread(admission);
        owner.start();
        while (owner.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        cut();
        assertThatThrownBy(() -> admission.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(InternalError.class);
    }
}
