/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.crail.internal.Incarnation;
import org.apache.crail.internal.OwnFiles;

/**
 * What a directory whose data is kept remembers of its datanode. The next one may have the data if it has the same
 * sizes and runs since the same start of the machine: after another start, memory is empty and files may be older than
 * they look. Immutable.
 *
 * @param incarnation that the namenode knows the data by
 * @param sizes of all, of a file, and of a block
 * @param boot identifies the start of the machine
 */
record KeptState(long incarnation, List<Long> sizes, String boot) {
    /** A directory that has this file is not removed as a left-over. */
    static final String FILE = "crail-datanode.kept";

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int LINES = 5;

    static KeptState fresh(MemoryTierSettings settings) {
        return new KeptState(Incarnation.next(), sizesOf(settings), bootId());
    }

    private static List<Long> sizesOf(MemoryTierSettings settings) {
        return List.of(settings.totalBytes(), settings.regionBytes(), settings.blockBytes());
    }

    private static String bootId() {
        try {
            return Files.readString(BOOT_ID).strip();
        } catch (IOException e) {
            return "unknown since " + System.nanoTime(); // never found again
        }
    }

    /** What a directory remembers, or null if nothing, or nothing that fits. */
    static KeptState read(Path directory, MemoryTierSettings settings) throws IOException {
        try {
            List<String> lines = Files.readAllLines(directory.resolve(FILE));
            if (lines.size() != LINES) {
                return null;
            }
            List<Long> sizes =
                    lines.subList(1, LINES - 1).stream().map(Long::valueOf).toList();
            KeptState state = new KeptState(Long.parseLong(lines.get(0)), sizes, lines.get(LINES - 1));
            return sizes.equals(sizesOf(settings)) && state.boot.equals(bootId()) ? state : null;
        } catch (NoSuchFileException | NumberFormatException e) {
            return null;
        }
    }

    void write(Path directory) throws IOException {
        StringBuilder text = new StringBuilder().append(incarnation).append('\n');
        sizes.forEach(size -> text.append(size).append('\n'));
        text.append(boot).append('\n');
        Path draft = directory.resolve(FILE + ".new");
        Files.deleteIfExists(draft);
        try (FileChannel file = OwnFiles.create(draft)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }
        Files.move(draft, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }
}
