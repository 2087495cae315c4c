/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Measures memory copies between one buffer and a mapped file, unit by unit. Not thread safe. */
final class RawCopy {
    private final int units;
    private final ByteBuffer file;
    private final ByteBuffer unit = ByteBuffer.allocateDirect(RawServer.UNIT_BYTES);

    /** Makes and maps a file of so many units, all of whose pages are there. */
    RawCopy(Path path, int units) throws IOException {
        this.units = units;
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int i = 0; i < units; i++) {
                channel.write(unit.clear());
            }
            this.file = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) units * RawServer.UNIT_BYTES)
                    .load();
        }
    }

    /** Out of the file; the result is in MiB/s. */
    double out() {
        long startNs = System.nanoTime();
        for (int i = 0; i < units; i++) {
            unit.put(0, file, i * RawServer.UNIT_BYTES, RawServer.UNIT_BYTES);
        }
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }

    /** Into the file; the result is in MiB/s. */
    double in() {
        long startNs = System.nanoTime();
        for (int i = 0; i < units; i++) {
            file.put(i * RawServer.UNIT_BYTES, unit, 0, RawServer.UNIT_BYTES);
        }
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }
}
