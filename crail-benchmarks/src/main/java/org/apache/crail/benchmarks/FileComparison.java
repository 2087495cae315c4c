/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Compares reads and writes of a large file on a disk: mapped, as the tcp tier does it in memory only, and through a
 * file channel, as it does it on a disk. Both take turns, each with a file of its own. Used by one thread.
 */
@Command(
        name = "files",
        mixinStandardHelpOptions = true,
        description = {
            "Compare mapped files with file channels on a disk, for the tcp tier as flash class. To be run where memory is",
            "smaller than the files, such as in a control group."
        })
final class FileComparison implements Callable<Integer> {
    private static final double NS_PER_S = 1e9;
    private static final int SMALL = 4096;
    private static final int LARGE = 1 << 20;

    @ParentCommand
    private Benchmarks parent;

    @Option(names = "--path", required = true, description = "Directory on the disk; two files are made there.")
    private Path path;

    @Option(names = "--mebibytes", defaultValue = "2048", description = "Size of each file (${DEFAULT-VALUE}).")
    private int mebibytes;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--operations",
            defaultValue = "2000",
            description = "Transfers of 4 KiB at random places in each round (${DEFAULT-VALUE}).")
    private int operations;

    /** Moves bytes between a file and the buffer, all of it. */
    private interface Way {
        void move(boolean isWrite, long position, ByteBuffer buffer) throws IOException;
    }

    /** What is done over and over. */
    private enum Work {
        WRITE_ALL("write all, 1 MiB at a time", true, LARGE, false),
        READ_ALL("read all, 1 MiB at a time", false, LARGE, false),
        READ_SMALL("read 4 KiB anywhere", false, SMALL, true),
        WRITE_SMALL("write 4 KiB anywhere", true, SMALL, true);

        private final String label;
        private final boolean isWrite;
        private final int bytes;
        private final boolean isRandom;

        Work(String label, boolean isWrite, int bytes, boolean isRandom) {
            this.label = label;
            this.isWrite = isWrite;
            this.bytes = bytes;
            this.isRandom = isRandom;
        }
    }

    @Override
    public Integer call() throws Exception {
        PrintStream out = parent.out();
        Machine.describe(parent.command()).forEach((name, value) -> out.println(name + ": " + value));
        out.println();
        out.println("| what | mapped, MB/s: median (min to max) | channel, MB/s: median (min to max) "
                + "| channel against mapped: median (min to max) |");
        out.println("| --- | --- | --- | --- |");
        Path mappedFile = Files.createTempFile(path, "mapped", null);
        Path channelFile = Files.createTempFile(path, "channel", null);
        try (FileChannel mapped = open(mappedFile);
                FileChannel channel = open(channelFile)) {
            compare(
                    out,
                    mapping(mapped),
                    (isWrite, position, buffer) -> throughChannel(channel, isWrite, position, buffer));
        } finally {
            Files.delete(mappedFile);
            Files.delete(channelFile);
        }
        return 0;
    }

    /** Opens a file all of whose blocks exist, as the datanode makes them. */
    private FileChannel open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        ByteBuffer zeros = ByteBuffer.allocateDirect(LARGE);
        for (int i = 0; i < mebibytes; i++) {
            throughChannel(channel, true, (long) i * LARGE, zeros.clear());
        }
        channel.force(false);
        return channel;
    }

    private Way mapping(FileChannel file) throws IOException {
        List<ByteBuffer> pieces = new ArrayList<>();
        for (long start = 0; start < file.size(); start += 1 << 30) {
            pieces.add(file.map(FileChannel.MapMode.READ_WRITE, start, Math.min(1 << 30, file.size() - start)));
        }
        return (isWrite, position, buffer) -> {
            ByteBuffer piece = pieces.get((int) (position >> 30));
            int index = (int) (position & (1 << 30) - 1);
            if (isWrite) {
                piece.put(index, buffer, 0, buffer.capacity());
            } else {
                buffer.put(0, piece, index, buffer.capacity());
            }
        };
    }

    private static void throughChannel(FileChannel channel, boolean isWrite, long position, ByteBuffer buffer)
            throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            long at = position + buffer.position();
            int moved = isWrite ? channel.write(buffer, at) : channel.read(buffer, at);
            if (moved <= 0) {
                throw new IOException("the file ends before " + (position + buffer.capacity()));
            }
        }
    }

    private void compare(PrintStream out, Way mapped, Way channel) throws IOException {
        for (Work work : Work.values()) {
            List<Double> first = new ArrayList<>();
            List<Double> second = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                first.add(megabytesPerSecond(work, mapped, round));
                second.add(megabytesPerSecond(work, channel, round));
                ratios.add(second.get(round) / first.get(round));
            }
            out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s |%n",
                    work.label,
                    text(first, "%.1f"),
                    text(second, "%.1f"),
                    text(ratios, "%.2f"));
        }
    }

    private double megabytesPerSecond(Work work, Way way, int round) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(work.bytes);
        long places = ((long) mebibytes << 20) / work.bytes;
        long count = work.isRandom ? operations : places;
        Random random = new Random(31L * round + work.label.hashCode()); // no work finds the places of another
        long startNs = System.nanoTime();
        for (long i = 0; i < count; i++) {
            long place = work.isRandom ? (long) (random.nextDouble() * places) : i;
            way.move(work.isWrite, place * work.bytes, buffer);
        }
        return count * work.bytes / 1e6 / ((System.nanoTime() - startNs) / NS_PER_S);
    }

    private static String text(List<Double> figures, String format) {
        Spread spread = Spread.of(figures);
        return String.format(
                Locale.ROOT,
                format + " (" + format + " to " + format + ")",
                spread.median(),
                spread.min(),
                spread.max());
    }
}
