/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Threads that read one stream at random positions, into arrays and direct buffers, and give its buffers back now and
 * then.
 */
final class PositionedReaders {
    private static final int THREADS = 8;
    private static final int READS = 200;
    private static final int LONGEST = 128 * 1024;

    private PositionedReaders() {}

    /** Fails unless each finds what is in the file. */
    static void read(FSDataInputStream in, byte[] file) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                readers.add(threads.submit(() -> readAtRandom(in, file, random)));
            }
            for (Future<?> reader : readers) {
                Object ignored = reader.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Void readAtRandom(FSDataInputStream in, byte[] file, Random random) throws IOException {
        for (int i = 0; i < READS; i++) {
            int length = 1 + random.nextInt(LONGEST);
            int from = random.nextInt(file.length - length + 1);
            byte[] expected = Arrays.copyOfRange(file, from, from + length);
            byte[] array = new byte[length];
            in.readFully(from, array);
            assertThat(array).isEqualTo(expected);
            ByteBuffer direct = ByteBuffer.allocateDirect(length);
            in.readFully(from, direct);
            direct.flip().get(array);
            assertThat(array).isEqualTo(expected);
            if (i % 50 == 0) {
                in.unbuffer();
            }
        }
        return null;
    }
}
