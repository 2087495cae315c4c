/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Regions without a datanode. Stateless. */
public final class TestRegions {
    private TestRegions() {}

    /** Zeros that are mapped from a file, which has no name any more. */
    public static MappedRegion mapped(int blocks, int blockBytes) {
        try {
            Path path = Files.createTempFile("region", "");
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                long bytes = (long) blocks * blockBytes;
                return MappedRegion.map(path, file, bytes, blockBytes, FileMemory.of(path));
            } finally {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
