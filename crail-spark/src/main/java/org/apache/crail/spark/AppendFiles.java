/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.error.BufferExhaustedException;
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

    private final Directory directory;

    /** Those that are whole and that nobody appends to, by shuffle. */
    private final Map<Integer, Queue<CrailFile>> idle = new ConcurrentHashMap<>();

    private final AtomicInteger made = new AtomicInteger();

    /** Makes and deletes files of shuffles. */
    interface Directory {
        CrailFile create(int shuffleId, String name) throws IOException;

        void delete(int shuffleId, String name) throws IOException;
    }

    /** What is to be appended. */
    interface Output {
        void writeTo(CrailBufferedOutputStream target) throws IOException;
    }

    AppendFiles(Directory directory) {
        this.directory = directory;
    }

    /**
     * Appends an output to some file, which nobody appends to any more if that fails. Then a new file is tried, unless
     * it was one.
     */
    OutputPlace append(int shuffleId, long mapId, Output output) throws IOException {
        Queue<CrailFile> files = idle.computeIfAbsent(shuffleId, first -> new ConcurrentLinkedQueue<>());
        CrailFile file = files.poll();
        OutputPlace place = file == null ? null : appendUnlessBroken(shuffleId, mapId, output, file);
        if (place == null) {
            String name = prefix + made.incrementAndGet();
            file = directory.create(shuffleId, name);
            place = appendOrDelete(shuffleId, mapId, output, file, name);
        }
        files.add(file); // of use to nobody if the shuffle has ended meanwhile
        return place;
    }

    /** Null if the file is of no use any more. */
    private static OutputPlace appendUnlessBroken(int shuffleId, long mapId, Output output, CrailFile file)
            throws IOException {
        try {
            return append(shuffleId, mapId, output, file);
        } catch (InterruptedIOException | BufferExhaustedException e) { // which say nothing of the file
            throw e;
        } catch (IOException e) { // for example, its datanode is lost
            LOG.info("{} is not appended to any more", file.getPath(), e);
            return null;
        }
    }

    /** What fails leaves no file, as nobody else has bytes there. */
    private OutputPlace appendOrDelete(int shuffleId, long mapId, Output output, CrailFile file, String name)
            throws IOException {
        try {
            return append(shuffleId, mapId, output, file);
        } catch (IOException | RuntimeException e) {
            try {
                StoreCalls.runAnyway("deleting " + file.getPath(), () -> directory.delete(shuffleId, name));
            } catch (IOException later) {
                e.addSuppressed(later);
            }
            throw e;
        }
    }

    private static OutputPlace append(int shuffleId, long mapId, Output output, CrailFile file) throws IOException {
        CrailBufferedOutputStream stream =
                StoreCalls.io("appending to " + file.getPath(), () -> file.openBufferedForAppend(0));
        long begin = file.getCapacity(); // nobody else can write now
        try (stream) {
            output.writeTo(stream);
        }
        long end = file.getCapacity();
        String path = file.getPath();
        return new OutputPlace(shuffleId, mapId, path.substring(path.lastIndexOf('/') + 1), begin, end - begin);
    }

    /** A shuffle has ended; if it begins again, it gets new files. */
    void end(int shuffleId) {
        idle.remove(shuffleId);
    }
}
