/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory that becomes full: a datanode finds that out when it starts, a client when it maps buffers, and nobody does
 * later.
 */
@Tag("faults")
class FullMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int REGION = 64 * MIB;

    @TempDir(factory = InMemory.class)
    private Path directory;

    /** What the probe says that does this, run by a command whose last words are the probe's. */
    private String said(List<String> prefix, Class<?> probe, String what, long bytes) throws Exception {
        return ProcessOutput.of(
                prefix,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                probe.getName(),
                what,
                directory.toString(),
                Long.toString(bytes));
    }

    /**
     * A command that runs another one with a tmpfs of so many bytes, so that it can be filled without harm to anybody
     * else.
     */
    private List<String> inMemoryOf(int bytes) throws Exception {
        return MountNamespace.with(
                "mount -t tmpfs -o mode=700,size=$1 tmpfs \"$2\"", Integer.toString(bytes), directory.toString());
    }

    @Test
    void shouldRefuseToStartWhenSomebodyElseTakesTheMemoryMeanwhile() throws Exception {
        List<String> small = inMemoryOf(REGION + MIB / 4);
        assertThat(said(small, FullMemoryProbe.class, "race", REGION))
                .contains("refused: org.apache.crail.error.StorageFailureException: region " + directory)
                .contains("of " + REGION + " bytes cannot be allocated: No space left on device")
                .contains("make space, lower crail.storage.tcp.storagelimit or choose another")
                .contains("left: []", "left in the end: []");
    }

    /** There is space, but not for a file of this length. */
    @Test
    void shouldRefuseToStartWhenAFileMayNotBecomeSoLong() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "no prlimit here");
        assertThat(said(List.of("prlimit", "--fsize=" + 8 * MIB), FullMemoryProbe.class, "start", REGION))
                .contains("refused: org.apache.crail.error.StorageFailureException: region " + directory)
                .contains("cannot be allocated: File too large")
                .contains("left: []", "left in the end: []");
    }

    @Test
    void shouldWriteToAllItOffersWhenSomebodyElseHasTakenTheRest() throws Exception {
        List<String> small = inMemoryOf(8 * MIB);
        assertThat(said(small, FullMemoryProbe.class, "write", 0))
                .contains("other: No space left on device")
                .containsSubsequence("free: 0\n", "right: " + 2 * TierFixture.REGION / TierFixture.BLOCK + "\n")
                .containsSubsequence("right: ", "free: 0\n", "alive: true");
    }

    @Test
    void shouldGiveOtherBuffersWhenSomebodyElseHasTakenTheMemory() throws Exception {
        assertThat(said(inMemoryOf(48 * MIB), FullBuffersProbe.class, "one", 32 * MIB))
                .contains("cannot map " + 16 * MIB + " bytes for buffers under crail.cachepath = " + directory)
                .contains("only 0 bytes are free there; further buffers come from the direct memory of the JVM")
                .contains("free: 0\n", "mapped: 16\n", "right: 32\n", "left: []");
    }

    @Test
    void shouldUseAllOfItsBuffersWhenSomebodyElseHasTakenTheRest() throws Exception {
        assertThat(said(inMemoryOf(48 * MIB), FullBuffersProbe.class, "all", 32 * MIB))
                .contains("other: No space left on device")
                .contains("free: 0\n", "mapped: 32\n", "right: 32\n", "left: []");
    }
}
