/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads of a block device through the kernel without its cache (O_DIRECT): by the caller, or, if several are to be in
 * flight, by as many threads. Not thread safe.
 */
final class DirectFile implements BlockReader, AutoCloseable {
    private final FileChannel channel;
    private final long position;
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(MOST_IN_FLIGHT);

    /** Opens the device, and prepares reads of {@code size} bytes from {@code position} on. */
    DirectFile(Path device, long position, int size) throws IOException {
        this.channel = FileChannel.open(device, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
        this.position = position;
        int alignment = Math.toIntExact(Files.getFileStore(device).getBlockSize());
        for (int i = 0; i < MOST_IN_FLIGHT; i++) {
            buffers.add(ByteBuffer.allocateDirect(size + alignment)
                    .alignedSlice(alignment)
                    .limit(size)
                    .slice());
        }
    }

    @Override
    public void read(int reads, int inFlight) throws Exception {
        if (inFlight == 1) {
            readAll(reads, 0);
            return;
        }
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < inFlight; i++) {
            int buffer = i;
            int share = reads / inFlight + (i < reads % inFlight ? 1 : 0);
            running.add(threads.submit(() -> {
                readAll(share, buffer);
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }

    private void readAll(int reads, int number) throws IOException {
        ByteBuffer buffer = buffers.get(number);
        for (int i = 0; i < reads; i++) {
            buffer.clear();
            if (channel.read(buffer, position) != buffer.capacity()) {
                throw new IOException("the device gave fewer bytes than " + buffer.capacity());
            }
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdown();
        channel.close();
    }
}
