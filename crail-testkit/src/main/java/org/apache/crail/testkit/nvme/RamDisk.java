/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.nvme;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A block device in memory, which counts the commands it serves. It takes memory for what has been written to it only.
 * Used by one thread at a time.
 */
final class RamDisk {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Path BLOCK_DEVICES = Path.of("/sys/block");
    private static final int MIB = 1 << 20;

    // Fields of the kernel's statistics of a block device.
    private static final int READS = 0;
    private static final int WRITES = 4;

    private final ConfigFolder settings;
    private final String name;
    private final int mebibytes;

    RamDisk(int mebibytes, int sectorBytes) throws IOException {
        this.mebibytes = mebibytes;
        String wished = "crail" + NUMBERS.incrementAndGet();
        settings = ConfigFolder.ROOT.folder("nullb").folder(wished).make();
        settings.set("size", Integer.toString(mebibytes));
        settings.set("blocksize", Integer.toString(sectorBytes));
        settings.set("memory_backed", "1");
        settings.set("irqmode", "0"); // it completes where it was submitted
        settings.set("power", "1");
        // Older kernels give it a name of their own.
        name = Files.isDirectory(BLOCK_DEVICES.resolve(wished)) ? wished : "nullb" + settings.get("index");
        Files.writeString(statistics().resolveSibling("queue/nomerges"), "2", StandardOpenOption.WRITE);
    }

    Path device() {
        return Path.of("/dev", name);
    }

    int mebibytes() {
        return mebibytes;
    }

    private Path statistics() {
        return BLOCK_DEVICES.resolve(name).resolve("stat");
    }

    /** Read commands since the disk was made. */
    long reads() throws IOException {
        return statistic(READS);
    }

    /** Write commands since the disk was made. */
    long writes() throws IOException {
        return statistic(WRITES);
    }

    private long statistic(int field) throws IOException {
        return Long.parseLong(Files.readString(statistics()).strip().split("\\s+", -1)[field]);
    }

    /** Takes over as much of another disk's contents as there is room for. */
    void copyFrom(RamDisk other) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(MIB);
        try (FileChannel from = FileChannel.open(other.device(), StandardOpenOption.READ);
                FileChannel to = FileChannel.open(device(), StandardOpenOption.WRITE)) {
            for (int i = 0; i < Math.min(mebibytes, other.mebibytes); i++) {
                buffer.clear();
                while (buffer.hasRemaining() && from.read(buffer) >= 0) {
                    // until there is a whole piece
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
            }
            to.force(false);
        }
    }

    void remove() throws IOException {
        settings.set("power", "0");
        settings.removeIfThere();
    }
}
