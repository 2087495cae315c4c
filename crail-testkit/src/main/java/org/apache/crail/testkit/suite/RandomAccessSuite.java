/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/**
 * Several clients that append any number of bytes to files of their own, several writes in flight, and read any range
 * of anybody's file. What a byte must be follows from file and position; a read must not touch the buffer outside of
 * its limits.
 */
public abstract class RandomAccessSuite extends ClusterSuite {
    private static final int CLIENTS = 3;
    private static final int FILES_PER_CLIENT = 2;
    private static final int MOST_BYTES = 3 * BLOCK;
    private static final int FILE_LIMIT = 40 * BLOCK;
    private static final int MARGIN = 700;
    private static final byte UNTOUCHED = 0x5a;

    /** How many bytes of each file have been acknowledged. */
    private final AtomicLongArray lengths = new AtomicLongArray(CLIENTS * FILES_PER_CLIENT);

    /** How many operations each of the clients does. */
    protected int operations() {
        return Rounds.of(600);
    }

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .datanodes(2)
                .blocksPerDatanode(256)
                .with("crail.storage.keepalive", Patience.ofMs(1_000)); // none is lost, however slow the machine is
    }

    @Test
    void shouldReadAnyRangeOfWhatWasWritten() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Worker> workers = new ArrayList<>();
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < lengths.length(); i++) {
                client.createFile(path(i)).getDirectOutputStream(0).close(); // whoever creates a file is its writer
            }
            for (int i = 0; i < CLIENTS; i++) {
                workers.add(new Worker(anotherClient(), i));
                running.add(threads.submit(workers.get(i)));
            }
            for (int i = 0; i < CLIENTS; i++) {
                assertThat(running.get(i)).as("%s", workers.get(i)).succeedsWithin(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        for (int i = 0; i < lengths.length(); i++) {
            byte[] whole = client.read(path(i));
            assertThat(whole).hasSize((int) lengths.get(i));
            Pattern.verify(i, 0, whole);
        }
    }

    private static String path(int file) {
        return "/file" + file;
    }

    /** One client. Used by its own thread. */
    private final class Worker implements Callable<Void> {
        private final TestClient own;
        private final int number;
        private final Random random;
        private int step;

        Worker(TestClient own, int number) {
            this.own = own;
            this.number = number;
            this.random = new Random(number);
        }

        @Override
        public Void call() throws Exception {
            while (step < operations()) {
                act();
                step++;
            }
            return null;
        }

        @Override
        public String toString() {
            return "client " + number + ", step " + step;
        }

        private void act() throws Exception {
            int file = random.nextInt(lengths.length());
            if (lengths.get(file) == 0 || random.nextInt(4) == 0) {
                append(number * FILES_PER_CLIENT + random.nextInt(FILES_PER_CLIENT));
            } else {
                read(file);
            }
        }

        private int anyLength() {
            int most = random.nextInt(10) == 0 ? MOST_BYTES : random.nextBoolean() ? 1_000 : 12_000;
            return 1 + random.nextInt(most);
        }

        private void append(int file) throws Exception {
            long begin = lengths.get(file);
            CrailOutputStream stream = own.lookup(path(file)).asFile().openForAppend(MOST_BYTES);
            List<Future<CrailResult>> writes = new ArrayList<>();
            long end = begin;
            for (int i = 0; i <= random.nextInt(4) && end < FILE_LIMIT; i++) {
                byte[] bytes = Pattern.of(file, end, anyLength());
                writes.add(stream.write(TestClient.buffer(bytes)));
                end += bytes.length;
            }
            for (Future<CrailResult> write : writes) {
                TestClient.await(write);
            }
            stream.close();
            lengths.set(file, end);
        }

        private void read(int file) throws Exception {
            long length = lengths.get(file);
            long begin = random.nextLong(length);
            int count = (int) Math.min(anyLength(), length - begin);
            byte[] untouched = new byte[count + 2 * MARGIN];
            Arrays.fill(untouched, UNTOUCHED);
            CrailBuffer buffer = TestClient.buffer(untouched);
            buffer.position(MARGIN).limit(MARGIN + count);
            CrailInputStream stream = own.lookup(path(file)).asFile().getDirectInputStream(0);
            stream.seek(begin);
            while (buffer.hasRemaining()) {
                int position = buffer.position();
                int moved = (int) TestClient.await(stream.read(buffer)).getLen();
                buffer.position(position + moved).limit(MARGIN + count);
            }
            stream.close();
            Pattern.verify(file, begin, TestClient.bytes(buffer, MARGIN, MARGIN + count));
            assertThat(TestClient.bytes(buffer, 0, MARGIN)).containsOnly(UNTOUCHED);
            assertThat(TestClient.bytes(buffer, MARGIN + count, untouched.length))
                    .containsOnly(UNTOUCHED);
        }
    }
}
