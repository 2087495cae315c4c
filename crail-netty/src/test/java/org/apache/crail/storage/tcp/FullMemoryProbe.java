/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;

/**
 * What {@link FullMemoryTest} lets another process do: it has a directory whose file system, or whose files, have a
 * limit.
 */
final class FullMemoryProbe {
    private final Path directory;
    private final Neighbour neighbour;

    private FullMemoryProbe(Path directory) throws IOException {
        this.directory = directory;
        this.neighbour = new Neighbour(directory);
    }

    /** Takes what is to be done, the directory, and for a start the bytes of the region. */
    public static void main(String[] args) throws Exception {
        FullMemoryProbe probe = new FullMemoryProbe(Path.of(args[1]));
        switch (args[0]) {
            case "start" -> probe.start(Long.parseLong(args[2]));
            case "race" -> probe.race(Long.parseLong(args[2]));
            case "write" -> probe.write();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Answers whether a datanode could be started, and tells what became of it. */
    private boolean start(long bytes) throws Exception {
        try (TierFixture fixture = new TierFixture(directory, true)) {
            fixture.conf.set(TcpTierKeys.STORAGE_LIMIT, bytes);
            fixture.conf.set(TcpTierKeys.STORAGE_ALLOCATION_SIZE, bytes);
            return canStart(fixture);
        } finally {
            System.out.println("left in the end: " + names("tcp-"));
        }
    }

    private boolean canStart(TierFixture fixture) throws IOException {
        try {
            fixture.start();
            return true;
        } catch (CrailException e) {
            System.out.println("refused: " + e);
            System.out.println("left: " + names("region-"));
            return false;
        }
    }

    private List<Path> names(String prefix) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }

    /**
     * Starts a datanode that finds enough memory, of which somebody else takes a part while the datanode writes its
     * pages.
     */
    private void race(long bytes) throws Exception {
        boolean started = true;
        while (started) {
            started = neighbour.takeAllDuring(() -> start(bytes));
            neighbour.giveBack();
        }
    }

    /**
     * Writes all blocks over and over, through a socket and through memory, while somebody else takes all that is free.
     */
    private void write() throws Exception {
        try (TierFixture fixture = new TierFixture(directory, true)) {
            fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
            fixture.start();
            CrailConfiguration overSocket = fixture.conf.copy();
            overSocket.set(TcpTierKeys.STORAGE_MAPPED, false);
            try (StorageClient client = fixture.tier.createClient(overSocket)) {
                StorageEndpoint mapped = fixture.endpoint();
                while (!mapped.isLocal()) {
                    TierFixture.get(mapped.read(TierFixture.buffer(1), fixture.block(0), 0));
                }
                List<StorageEndpoint> ways = List.of(client.createEndpoint(fixture.datanode()), mapped);
                writeWhileMemoryIsTaken(fixture, ways);
                System.out.println("alive: " + fixture.server.isAlive());
            }
        }
    }

    private void writeWhileMemoryIsTaken(TierFixture fixture, List<StorageEndpoint> ways) throws Exception {
        Random random = new Random(5);
        Thread other = neighbour.takeAllInBackground();
        while (other.isAlive()) {
            writeAllBlocks(fixture, ways, random);
        }
        System.out.println("free: " + neighbour.freeBytes());
        System.out.println("right: " + writeAllBlocks(fixture, ways, random));
        System.out.println("free: " + neighbour.freeBytes());
    }

    /** Answers how many were read as they had been written. */
    private static int writeAllBlocks(TierFixture fixture, List<StorageEndpoint> ways, Random random) throws Exception {
        int right = 0;
        for (int i = 0; i < TierFixture.REGION / TierFixture.BLOCK; i++) {
            for (StorageEndpoint way : ways) {
                CrailBuffer written = TierFixture.random(random, TierFixture.BLOCK);
                CrailBuffer read = TierFixture.buffer(TierFixture.BLOCK);
                TierFixture.get(way.write(written, fixture.block(i), 0));
                TierFixture.get(way.read(read, fixture.block(i), 0));
                right += Arrays.equals(allOf(written), allOf(read)) ? 1 : 0;
            }
        }
        return right;
    }

    private static byte[] allOf(CrailBuffer buffer) {
        return TierFixture.bytes(buffer, 0, TierFixture.BLOCK);
    }
}
