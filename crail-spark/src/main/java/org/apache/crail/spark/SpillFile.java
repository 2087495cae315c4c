/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;

/**
 * The file of an attempt of a map task in which parts of its partitions are until the output is written. Used by one
 * task.
 */
final class SpillFile {
    private static final int COPY_BYTES = 64 << 10;

    private final MapOutputs outputs;
    private final int shuffleId;
    private final String name;

    /** Where each partition begins, and the last one ends, for each time that something was added. */
    private final List<long[]> positions = new ArrayList<>();

    /** Whether there may be a file, which is to be deleted. */
    private boolean isBegun;

    /** Null until there is something. */
    private CrailFile file;

    private CrailBufferedOutputStream out;

    /** Why not all that was added is there; null if it is. */
    private Throwable failure;

    /** Null until the file is read. */
    private CrailBufferedInputStream in;

    /** Writes what there is of a partition. */
    interface Source {
        void writeTo(int partition, OutputStream target) throws IOException;
    }

    SpillFile(MapOutputs outputs, int shuffleId, long mapId) {
        this.outputs = outputs;
        this.shuffleId = shuffleId;
        this.name = mapId + ".spill";
    }

    /** Adds so many bytes of each partition; if that fails, the file is of no use any more. */
    void add(long[] lengths, Source source) throws IOException {
        if (failure != null) {
            throw new IOException("what a map task has spilled is not whole", failure);
        }
        try {
            if (file == null) {
                isBegun = true;
                file = outputs.create(shuffleId, name);
                out = StoreCalls.io("writing " + file.getPath(), () -> file.getBufferedOutputStream(0));
            }
            long[] added = new long[lengths.length + 1];
            added[0] = positions.isEmpty() ? 0 : positions.get(positions.size() - 1)[lengths.length];
            for (int i = 0; i < lengths.length; i++) {
                source.writeTo(i, out);
                added[i + 1] = added[i] + lengths[i];
            }
            positions.add(added);
        } catch (Throwable e) { // also of an error nobody knows what is there
            failure = e;
            throw e;
        }
    }

    /** Gives all that was added of a partition; nothing can be added any more. */
    void writeTo(int partition, OutputStream target) throws IOException {
        if (failure != null) {
            throw new IOException("what a map task has spilled is not whole", failure);
        }
        for (long[] each : positions) {
            copy(each[partition], each[partition + 1] - each[partition], target);
        }
    }

    private void copy(long position, long length, OutputStream target) throws IOException {
        if (length == 0) {
            return;
        }
        if (in == null) {
            out.close();
            in = StoreCalls.io("reading " + file.getPath(), () -> file.getBufferedInputStream(0));
        }
        byte[] bytes = new byte[(int) Math.min(length, COPY_BYTES)];
        for (long done = 0; done < length; ) {
            int read = in.read(position + done, bytes, 0, (int) Math.min(length - done, bytes.length));
            if (read < 0) {
                throw new IOException(file.getPath() + " lacks " + (length - done) + " bytes of a partition");
            }
            target.write(bytes, 0, read);
            done += read;
        }
    }

    /** Deletes the file, if there is one. */
    void delete() throws IOException {
        if (!isBegun) {
            return;
        }
        try {
            if (in != null) {
                in.close();
            }
            if (out != null) {
                out.close();
            }
        } finally {
            isBegun = false;
            outputs.delete(shuffleId, name);
        }
    }
}
