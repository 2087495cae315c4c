/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.memory.BufferCache;

/** What {@link FullMemoryTest} lets another process do: it has a client's buffers in a directory whose file system has a limit. */
final class FullBuffersProbe {
    private static final int BUFFER = 1 << 20;

    private final Path directory;
    private final long regionBytes;
    private final Neighbour neighbour;

    private FullBuffersProbe(Path directory, long regionBytes) throws IOException {
        this.directory = directory;
        this.regionBytes = regionBytes;
        this.neighbour = new Neighbour(directory);
    }

    /** Takes what is to be done, the directory, and the bytes of the region. */
    public static void main(String[] args) throws Exception {
        FullBuffersProbe probe = new FullBuffersProbe(Path.of(args[1]), Long.parseLong(args[2]));
        switch (args[0]) {
            case "race" -> probe.race();
            case "use" -> probe.use();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private BufferCache newCache() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(CrailKeys.CACHE_PATH, directory.toString());
        conf.set(CrailKeys.CACHE_LIMIT, regionBytes);
        conf.set(CrailKeys.REGION_SIZE, regionBytes);
        conf.set(CrailKeys.BUFFER_SIZE, BUFFER);
        return BufferCache.createInstance(conf);
    }

    /** Asks for a buffer where there is enough memory, of which somebody else takes a part while the buffer gets its own. */
    private void race() throws Exception {
        long free = neighbour.freeBytes();
        while (getsMappedBuffer()) {
            awaitFree(free);
        }
        System.out.println("missing: " + (free - neighbour.freeBytes()));
        try (Stream<Path> left = Files.list(directory)) {
            System.out.println("left: " + left.toList());
        }
    }

    private boolean getsMappedBuffer() throws Exception {
        BufferCache cache = newCache();
        CrailBuffer buffer = neighbour.takeAllDuring(cache::allocateBuffer);
        buffer.put(new byte[BUFFER]);
        neighbour.giveBack();
        return buffer.getRegion() != buffer;
    }

    /** Memory that was mapped is free when the mapping has been found to be garbage. */
    private void awaitFree(long bytes) throws IOException {
        while (neighbour.freeBytes() < bytes) {
            System.gc();
        }
    }

    /** Has buffers, of which it has touched none when somebody else takes all that is free. */
    private void use() throws Exception {
        BufferCache cache = newCache();
        List<CrailBuffer> buffers = new ArrayList<>(List.of(cache.allocateBuffer()));
        neighbour.takeAll();
        System.out.println("free: " + neighbour.freeBytes());
        while (buffers.size() < regionBytes / BUFFER) {
            buffers.add(cache.allocateBuffer());
        }
        System.out.println("regions: "
                + buffers.stream().map(CrailBuffer::getRegion).distinct().count());
        System.out.println("right: " + useAll(buffers));
    }

    /** Answers how many were read as they had been written. */
    private static int useAll(List<CrailBuffer> buffers) {
        Random random = new Random(6);
        List<byte[]> written = new ArrayList<>();
        for (CrailBuffer buffer : buffers) {
            byte[] bytes = new byte[BUFFER];
            random.nextBytes(bytes);
            buffer.put(bytes);
            written.add(bytes);
        }
        int right = 0;
        for (int i = 0; i < buffers.size(); i++) {
            right += Arrays.equals(TierFixture.bytes(buffers.get(i), 0, BUFFER), written.get(i)) ? 1 : 0;
        }
        return right;
    }
}
