/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** Somebody else who takes all that is free in a file system, and says so. For use by one thread. */
final class Neighbour {
    private static final int PIECE = 1 << 20;
    private static final int PAGE = 4096;

    private final Path file;
    private final FileStore memory;

    Neighbour(Path directory) throws IOException {
        this.file = directory.resolve("other");
        this.memory = Files.getFileStore(directory);
    }

    long freeBytes() throws IOException {
        return memory.getUsableSpace();
    }

    /** Writes a file to the last page that is free. */
    void takeAll() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int bytes : new int[] {PIECE, PAGE}) {
                writeWhilePossible(channel, ByteBuffer.allocateDirect(bytes));
            }
        }
    }

    private static void writeWhilePossible(FileChannel file, ByteBuffer bytes) {
        try {
            while (true) {
                file.write(bytes.clear());
            }
        } catch (IOException full) {
            System.out.println("other: " + full.getMessage());
        }
    }

    /** Removes the file. */
    void giveBack() throws IOException {
        Files.delete(file);
    }

    /** Begins to take all, and ends when it has. */
    Thread takeAllInBackground() {
        return inBackground(this::takeAll);
    }

    /** Takes all as soon as some work takes a part, at the latest when the work is done; returns when it has. */
    <T> T takeAllDuring(Callable<T> work) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        long free = freeBytes();
        Thread taking = inBackground(() -> {
            while (freeBytes() == free && !ended.get()) {
                Thread.onSpinWait();
            }
            takeAll();
        });
        try {
            return work.call();
        } finally {
            ended.set(true);
            taking.join();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static Thread inBackground(Work work) {
        Thread other = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                "other");
        other.start();
        return other;
    }
}
