/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of this process that hold several small outputs each. One task at a time appends to a file, so a process
 * has as many of a shuffle as it has run tasks side by side. Thread safe.
 */
final class AppendFiles {
    private static final Logger LOG = LoggerFactory.getLogger(AppendFiles.class);

    /** Of this process, which others never use. */
    private final String prefix = "append-" + UUID.randomUUID() + "-";

    /** Those that are whole and that nobody appends to, by shuffle. Guarded by this. */
    private final Map<Integer, Deque<CrailFile>> idle = new HashMap<>();

    /** Guarded by this. */
    private int made;

    /** Makes a file of a shuffle with a name. */
    interface Maker {
        CrailFile create(String name) throws IOException;
    }

    /**
     * Appends an output to some file, which nobody appends to any more if that fails. Then a new file is tried, unless
     * it was one.
     */
    OutputPlace append(int shuffleId, long mapId, List<ByteBuffer> output, Maker maker) throws IOException {
        CrailFile known = take(shuffleId);
        if (known != null) {
            try {
                return append(shuffleId, mapId, output, known);
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) { // for example, its datanode is lost
                LOG.info("{} is not appended to any more", known.getPath(), e);
            }
        }
        return append(shuffleId, mapId, output, maker.create(newName()));
    }

    private OutputPlace append(int shuffleId, long mapId, List<ByteBuffer> output, CrailFile file) throws IOException {
        long bytes = output.stream().mapToLong(ByteBuffer::remaining).sum();
        CrailBufferedOutputStream stream =
                StoreCalls.io("appending to " + file.getPath(), () -> file.openBufferedForAppend(0));
        long begin = file.getCapacity(); // nobody else can write now
        try (stream) {
            for (ByteBuffer part : output) {
                stream.write(part.duplicate());
            }
        }
        giveBack(shuffleId, file);
        String path = file.getPath();
        return new OutputPlace(shuffleId, mapId, path.substring(path.lastIndexOf('/') + 1), begin, bytes);
    }

    private synchronized String newName() {
        made++;
        return prefix + made;
    }

    private synchronized CrailFile take(int shuffleId) {
        Deque<CrailFile> files = idle.get(shuffleId);
        return files == null ? null : files.poll();
    }

    private synchronized void giveBack(int shuffleId, CrailFile file) {
        idle.computeIfAbsent(shuffleId, first -> new ArrayDeque<>()).add(file);
    }

    /** Appends no more to the files of a shuffle. */
    synchronized void forget(int shuffleId) {
        idle.remove(shuffleId);
    }
}
