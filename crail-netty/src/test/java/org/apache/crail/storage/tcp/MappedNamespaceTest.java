/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.apache.crail.CrailBuffer;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients in another mount namespace, where the datanode's path leads to its files, or to others. */
class MappedNamespaceTest {
    /** Takes much longer than a mapping. */
    private static final int MANY_COPIES = 1_000;

    private static final String REGION = "region-0";
    private static final String FENCE = "region-0.fence";

    /** Words of the head of a fence file. */
    private static final int INODE = 3;

    private static final int OWN_INODE = 12;

    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private final Random random = new Random(7);
    private TierFixture fixture;
    private StorageEndpoint endpoint;

    @BeforeEach
    void startAndWrite() throws Exception {
        fixture = new TierFixture(dataPath, true);
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
        fixture.start();
        endpoint = fixture.endpoint();
        get(endpoint.write(random(random, BLOCK), fixture.block(0), 0));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private Path directory() {
        return fixture.server.directory().path();
    }

    /**
     * Copies the datanode's files, and lets the copied fence tell the inodes of the copies, as if they were the same.
     */
    private Path copy() throws IOException {
        Path copy = Files.createDirectory(dataPath.resolve("copy"));
        Path region = Files.copy(directory().resolve(REGION), copy.resolve(REGION));
        Path fence = Files.copy(directory().resolve(FENCE), copy.resolve(FENCE));
        putInode(fence, INODE, region);
        putInode(fence, OWN_INODE, fence);
        return copy;
    }

    private static void putInode(Path fence, int word, Path file) throws IOException {
        ByteBuffer inode = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        inode.putLong((long) Files.getAttribute(file, "unix:ino")).flip();
        try (FileChannel channel = FileChannel.open(fence, StandardOpenOption.WRITE)) {
            channel.write(inode, word * (long) Long.BYTES);
        }
    }

    /** Writes block 0, lets a client copy it into block 1, and reads that. */
    private String saidByAClient(List<String> command, int mostCopies) throws Exception {
        CrailBuffer written = random(random, BLOCK);
        get(endpoint.write(written, fixture.block(0), 0));
        String said = MappedProbe.copy(command, fixture, mostCopies);
        CrailBuffer read = buffer(BLOCK);
        get(endpoint.read(read, fixture.block(1), 0));
        assertThat(bytes(read, 0, BLOCK)).as(said).isEqualTo(bytes(written, 0, BLOCK));
        return said;
    }

    @Test
    void shouldMapTheSameFilesFromAnotherMountNamespace() throws Exception {
        List<String> command = MountNamespace.with("mount -t tmpfs tmpfs \"$1\"", dataPathOfOthers());
        assertThat(saidByAClient(command, Integer.MAX_VALUE)).contains("mapped [" + REGION + ", " + FENCE + "]");
    }

    private String dataPathOfOthers() throws IOException {
        return Files.createDirectory(dataPath.resolve("others")).toString();
    }

    /** What a fence says is known only when it has been mapped. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mount -t tmpfs -o mode=700 tmpfs \"$1\"",
                "mount -t tmpfs -o mode=700 tmpfs \"$1\" && cp -p \"$2\"/* \"$1\"",
                "mount --bind \"$2\" \"$1\""
            })
    void shouldUseASocketWhereThePathLeadsToOtherFiles(String mounts) throws Exception {
        Path copy = copy();
        List<String> command = MountNamespace.with(mounts, directory().toString(), copy.toString());
        byte[] before = Files.readAllBytes(copy.resolve(REGION));
        assertThat(saidByAClient(command, MANY_COPIES)).containsAnyOf("mapped []", "mapped [" + FENCE + "]");
        assertThat(copy.resolve(REGION)).hasBinaryContent(before);
    }
}
