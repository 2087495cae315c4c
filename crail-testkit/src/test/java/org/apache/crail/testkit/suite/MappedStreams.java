/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.testkit.Probe;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.Test;

/**
 * Direct streams where clients copy blocks of their host themselves, and the proof that they do: else other suites
 * would be run twice.
 */
abstract class MappedStreams extends DirectStreamSuite {
    private static final Pattern LOCAL_TRANSFERS = Pattern.compile("localOps (\\d+)");
    private static final int READS = 20;

    /** Of four blocks each. */
    private static final int MOST_ROUNDS = 8;

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

    @Test
    void shouldCopyArraysOfBufferedStreamsOnceOnItsHost() throws Exception {
        byte[] content = org.apache.crail.testkit.Pattern.of(1, 3 * BLOCK + 100);
        CrailConfiguration configuration = cluster.configuration();
        Probe probe = Probe.attach(configuration);
        try (TestClient probed = TestClient.open(configuration)) {
            if (ServerPlace.isHere()) {
                assertThatArraysAreCopiedOnce(probed, probe, content);
            } else {
                writeArray(probed.createFile("/arrays"), content);
                for (int i = 0; i < READS; i++) {
                    readArray(probed, "/arrays", content);
                }
                assertThat(probe.bytesCopiedOnce()).isZero();
            }
        }
    }

    /**
     * A lease that ends costs a transfer now and then, so that it may take several rounds. They are few, since the
     * blocks of each stay taken; reads take none, so that they wait until the regions of both datanodes are mapped.
     */
    private static void assertThatArraysAreCopiedOnce(TestClient probed, Probe probe, byte[] content) throws Exception {
        boolean expected = false;
        for (int i = 0; i < MOST_ROUNDS && !expected; i++) {
            String path = "/arrays" + i;
            CrailFile file = probed.createFile(path);
            probe.reset();
            writeArray(file, content);
            readArray(probed, path, content);
            expected = areAllCopied(probe, 2L * content.length);
            if (!expected) {
                awaitCopied(probed, probe, path, content);
            }
        }
        assertThat(expected)
                .as("whether arrays are copied once; latest round: %s", probe)
                .isTrue();
    }

    private static void awaitCopied(TestClient probed, Probe probe, String path, byte[] content) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        do {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("time until all of a file is copied; latest read: %s", probe)
                    .isNegative();
            probe.reset();
            readArray(probed, path, content);
        } while (!areAllCopied(probe, content.length));
    }

    private static boolean areAllCopied(Probe probe, long bytes) {
        return probe.bytesCopiedOnce() == bytes && probe.reads() + probe.writes() == 0;
    }

    private static void writeArray(CrailFile file, byte[] content) throws Exception {
        try (CrailBufferedOutputStream output = file.getBufferedOutputStream(0)) {
            output.write(content);
        }
    }

    private static void readArray(TestClient probed, String path, byte[] content) throws Exception {
        byte[] read = new byte[content.length];
        try (CrailBufferedInputStream input = probed.lookup(path).asFile().getBufferedInputStream(0)) {
            assertThat(input.read(read)).isEqualTo(content.length);
        }
        assertThat(read).isEqualTo(content);
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
