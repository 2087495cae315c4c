/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.Test;

/**
 * Direct streams where clients copy blocks of their host themselves, and the proof that they do: else other suites would be run
 * twice.
 */
abstract class MappedStreams extends DirectStreamSuite {
    private static final Pattern LOCAL_TRANSFERS = Pattern.compile("localOps (\\d+)");
    private static final int READS = 20;

    /** Regions are mapped in the background when the first of their blocks are used. */
    @Test
    void shouldCopyBlocksOfItsHostItselfAndNoOthers() throws Exception {
        byte[] content = org.apache.crail.testkit.Pattern.of(1, BLOCK);
        client.write("/file", content);
        if (ServerPlace.isHere()) {
            awaitLocalTransfer(content);
        } else {
            for (int i = 0; i < READS; i++) {
                assertThat(client.read("/file")).isEqualTo(content);
            }
            assertThat(localTransfers()).isZero();
        }
    }

    private void awaitLocalTransfer(byte[] content) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (localTransfers() == 0) {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("time until a transfer is a copy")
                    .isNegative();
            assertThat(client.read("/file")).isEqualTo(content);
        }
    }

    private long localTransfers() {
        String counts = client.store().getStatistics().text("core/input").orElseThrow();
        Matcher count = LOCAL_TRANSFERS.matcher(counts);
        assertThat(count.find()).as(counts).isTrue();
        return Long.parseLong(count.group(1));
    }
}
