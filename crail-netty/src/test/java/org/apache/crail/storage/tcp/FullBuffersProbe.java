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

/**
 * What {@link FullMemoryTest} lets another process do: it has a client's buffers in a directory whose file system has a
 * limit.
 */
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
            case "all" -> probe.use((int) (probe.regionBytes / BUFFER));
            case "one" -> probe.use(1);
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

    /**
     * Has so many buffers, of which it has touched none when somebody else takes all that is free, and then asks for
     * more.
     */
    private void use(int first) throws Exception {
        BufferCache cache = newCache();
        List<CrailBuffer> buffers = new ArrayList<>();
        while (buffers.size() < first) {
            buffers.add(cache.allocateBuffer());
        }
        neighbour.takeAll();
        System.out.println("free: " + neighbour.freeBytes());
        while (buffers.size() < regionBytes / BUFFER) {
            buffers.add(cache.allocateBuffer());
        }
        System.out.println("mapped: "
                + buffers.stream()
                        .filter(buffer -> buffer.getRegion() != buffer)
                        .count());
        System.out.println("right: " + useAll(buffers));
        try (Stream<Path> left = Files.list(directory)) {
            System.out.println("left: "
                    + left.filter(path -> path.toString().contains("buffers")).toList());
        }
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
