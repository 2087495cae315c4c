/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailFile;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.testkit.AllocatedBytes;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Probe;
import org.apache.crail.testkit.TestClient;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hdfs")
class MappedStreamsTest {
    private static final int LENGTH = 5 * 64 * 1024 + 1234;

    /** Of six blocks each. */
    private static final int MOST_ROUNDS = 5;

    private final byte[] bytes = new byte[LENGTH];
    private TestClient client;
    private Probe probe;

    private interface Check {
        void run() throws Exception;
    }

    @Test
    void shouldCopyArraysOnceOnTheHostOfADatanode() throws Exception {
        onTheHostOfADatanode(this::assertThatArraysAreCopiedOnce);
    }

    @Test
    void shouldReadAtPositionsFromManyThreads() throws Exception {
        onTheHostOfADatanode(this::assertThatThreadsReadAtPositions);
    }

    @Test
    void shouldReadAtPositionsIntoTheArraysOfBuffersThemselves() throws Exception {
        onTheHostOfADatanode(this::assertThatNoOtherArraysAreFilled);
    }

    private void onTheHostOfADatanode(Check check) throws Exception {
        new Random(7).nextBytes(bytes);
        try (MiniCluster cluster =
                SharedCluster.patient().with("crail.storage.tcp.mapped", "true").start()) {
            CrailConfiguration configuration = cluster.configuration();
            probe = Probe.attach(configuration);
            client = TestClient.open(configuration);
            try {
                check.run();
            } finally {
                client.close();
            }
        }
    }

    private void assertThatThreadsReadAtPositions() throws Exception {
        Path path = new Path("/f");
        write(client.createFile(path.toString()), path);
        awaitCopied(path); // the threads copy by themselves then
        CrailFile found = client.lookup(path.toString()).asFile();
        try (FSDataInputStream in =
                new FSDataInputStream(new CrailHadoopInputStream(client.store(), found, path, null))) {
            PositionedReaders.read(in, bytes);
        }
    }

    private void assertThatNoOtherArraysAreFilled() throws Exception {
        Path path = new Path("/f");
        write(client.createFile(path.toString()), path);
        awaitCopied(path);
        CrailFile found = client.lookup(path.toString()).asFile();
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
        try (CrailHadoopInputStream in = new CrailHadoopInputStream(client.store(), found, path, null)) {
            AllocatedBytes.assertLessThan(LENGTH / 4, 20, () -> in.read(0, buffer.clear()));
        }
        assertThat(buffer.array()).isEqualTo(bytes);
    }

    /**
     * A lease that ends costs a transfer now and then, so that it may take several rounds. They are few, since the
     * blocks of each stay taken; reads take none, so that they wait until the region is mapped.
     */
    private void assertThatArraysAreCopiedOnce() throws Exception {
        boolean expected = false;
        for (int i = 0; i < MOST_ROUNDS && !expected; i++) {
            Path path = new Path("/f" + i);
            CrailFile file = client.createFile(path.toString());
            probe.reset();
            write(file, path);
            read(path);
            expected = areAllCopied(2L * LENGTH);
            if (!expected) {
                awaitCopied(path);
            }
        }
        assertThat(expected)
                .as("whether arrays are copied once; latest round: %s", probe)
                .isTrue();
    }

    private void awaitCopied(Path path) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        do {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("time until all of a file is copied; latest read: %s", probe)
                    .isNegative();
            probe.reset();
            read(path);
        } while (!areAllCopied(LENGTH));
    }

    private boolean areAllCopied(long length) {
        return probe.bytesCopiedOnce() == length && probe.reads() + probe.writes() == 0;
    }

    private void write(CrailFile file, Path path) throws Exception {
        try (CrailHadoopOutputStream out =
                new CrailHadoopOutputStream(file.getBufferedOutputStream(0), path, ignored -> {})) {
            out.write(bytes, 0, LENGTH);
        }
    }

    private void read(Path path) throws Exception {
        byte[] read = new byte[LENGTH];
        CrailFile found = client.lookup(path.toString()).asFile();
        try (CrailHadoopInputStream in = new CrailHadoopInputStream(client.store(), found, path, null)) {
            assertThat(in.read(read, 0, LENGTH)).isEqualTo(LENGTH);
        }
        assertThat(read).isEqualTo(bytes);
    }
}
