/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.failure;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedTransferTest {
    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private final Random random = new Random(7);
    private TierFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = new TierFixture(dataPath, true);
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
        fixture.start();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private StorageEndpoint mappedEndpoint() throws Exception {
        StorageEndpoint endpoint = fixture.endpoint();
        awaitMapped(endpoint);
        return endpoint;
    }

    /** The first transfer uses the socket, and so do others until the region has been mapped. */
    private void awaitMapped(StorageEndpoint endpoint) throws Exception {
        while (!endpoint.isLocal()) {
            get(endpoint.read(buffer(1), fixture.block(15), 0));
        }
    }

    @Test
    void shouldMoveTheSameBytesAsASocket() throws Exception {
        StorageEndpoint mapped = mappedEndpoint();
        CrailConfiguration sockets = fixture.conf.copy();
        sockets.set(TcpTierKeys.STORAGE_MAPPED, false);
        try (StorageClient client = fixture.tier.createClient(sockets)) {
            StorageEndpoint socket = client.createEndpoint(fixture.datanode());
            for (StorageEndpoint writer : List.of(mapped, socket)) {
                for (StorageEndpoint reader : List.of(mapped, socket)) {
                    CrailBuffer written = random(random, BLOCK);
                    assertThat(get(writer.write(written, fixture.block(3), 0))).isEqualTo(BLOCK);
                    assertThat(written.remaining()).isZero();
                    CrailBuffer read = buffer(BLOCK);
                    read.position(100).limit(BLOCK - 200);
                    get(reader.read(read, fixture.block(3), 100));
                    assertThat(bytes(read, 100, BLOCK - 200)).isEqualTo(bytes(written, 100, BLOCK - 200));
                    assertThat(bytes(read, 0, 100)).containsOnly(0);
                }
            }
            assertThat(socket.isLocal()).isFalse();
        }
    }

    @Test
    void shouldHaveDoneATransferWhenTheCallReturns() throws Exception {
        StorageEndpoint mapped = mappedEndpoint();
        assertThat(mapped.write(random(random, BLOCK), fixture.block(0), 0)).isCompleted();
        assertThat(mapped.read(buffer(BLOCK), fixture.block(0), 0)).isCompleted();
    }

    @Test
    void shouldUseASocketWhereTheDatanodeDoesNotShareItsMemory() throws Exception {
        fixture.close();
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, false);
        fixture.start();
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
        StorageEndpoint endpoint = fixture.endpoint();
        get(endpoint.write(random(random, BLOCK), fixture.block(1), 0));
        get(endpoint.read(buffer(BLOCK), fixture.block(1), 0));
        assertThat(endpoint.isLocal()).isFalse();
        try (Stream<Path> files = Files.walk(dataPath)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".fence"));
        }
    }

    @Test
    void shouldFenceFormerOwnersWhicheverWayTheyCome() throws Exception {
        StorageEndpoint mapped = mappedEndpoint();
        CrailConfiguration sockets = fixture.conf.copy();
        sockets.set(TcpTierKeys.STORAGE_MAPPED, false);
        try (StorageClient client = fixture.tier.createClient(sockets)) {
            StorageEndpoint socket = client.createEndpoint(fixture.datanode());
            get(socket.write(random(random, 8), fixture.block(1, 5), 0));
            assertThat(failure(mapped.write(random(random, 8), fixture.block(1, 4), 0)))
                    .isInstanceOf(StaleBlockException.class);
            get(mapped.write(random(random, 8), fixture.block(1, 6), 0));
            assertThat(failure(socket.write(random(random, 8), fixture.block(1, 5), 0)))
                    .isInstanceOf(StaleBlockException.class);
        }
    }

    @Test
    void shouldFailWhenTheDatanodeHasStoppedAndWorkWhenItIsBack() throws Exception {
        StorageEndpoint endpoint = mappedEndpoint();
        int port = fixture.server.address().getPort();
        fixture.server.close();
        assertThat(failure(endpoint.write(random(random, 8), fixture.block(1), 0)))
                .isInstanceOf(DatanodeUnreachableException.class);

        fixture.conf.set(TcpTierKeys.STORAGE_PORT, port);
        fixture.start();
        CrailBuffer written = random(random, BLOCK);
        get(endpoint.write(written, fixture.block(1), 0));
        awaitMapped(endpoint);
        CrailBuffer read = buffer(BLOCK);
        get(endpoint.read(read, fixture.block(1), 0));
        assertThat(bytes(read, 0, BLOCK)).isEqualTo(bytes(written, 0, BLOCK));
    }

    /** Also waits for the transfer if it was not. */
    private boolean isDoneByTheCall(StorageEndpoint endpoint, CrailBuffer buffer) throws Exception {
        buffer.clear();
        CompletableFuture<Integer> transfer = endpoint.read(buffer, fixture.block(2), 0);
        boolean isDone = transfer.isDone();
        get(transfer);
        return isDone;
    }

    @Test
    void shouldUseTheMemoryOfEachRegion() throws Exception {
        StorageEndpoint endpoint = mappedEndpoint();
        fixture.region = fixture.server.allocateRegion().orElseThrow();
        CrailBuffer written = random(random, BLOCK);
        get(endpoint.write(written, fixture.block(2), 0));
        CrailBuffer read = buffer(BLOCK);
        while (!isDoneByTheCall(endpoint, read)) {
            assertThat(bytes(read, 0, BLOCK)).isEqualTo(bytes(written, 0, BLOCK));
        }
        assertThat(bytes(read, 0, BLOCK)).isEqualTo(bytes(written, 0, BLOCK));
    }

    /** The datanode has the former file mapped as well. Who comes later finds that the file is another one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnWithWhatIsMappedWhenTheFileIsRemovedOrReplaced(boolean isReplaced) throws Exception {
        StorageEndpoint mapped = mappedEndpoint();
        BlockInfo block = fixture.block(3);
        CrailBuffer before = random(random, BLOCK);
        get(mapped.write(before, block, 0));
        Path file = fixture.server.directory().path().resolve("region-0");
        byte[] foreign = bytes(random(random, TierFixture.REGION), 0, TierFixture.REGION);
        if (isReplaced) {
            Path other = Files.write(dataPath.resolve("other"), foreign);
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(file);
        }

        StorageEndpoint later = fixture.endpoint();
        CrailBuffer read = buffer(BLOCK);
        get(later.read(read, block, 0));
        assertThat(bytes(read, 0, BLOCK)).isEqualTo(bytes(before, 0, BLOCK));
        assertThat(later.isMapped(block)).isFalse(); // now it is tried
        fixture.region = fixture.server.allocateRegion().orElseThrow();
        awaitMapped(later);
        for (StorageEndpoint writer : List.of(mapped, later)) {
            CrailBuffer written = random(random, BLOCK);
            get(writer.write(written, block, 0));
            for (StorageEndpoint reader : List.of(mapped, later)) {
                read.clear();
                get(reader.read(read, block, 0));
                assertThat(bytes(read, 0, BLOCK)).isEqualTo(bytes(written, 0, BLOCK));
            }
        }
        assertThat(mapped.isMapped(block)).isTrue();
        assertThat(later.isMapped(block)).isFalse();
        if (isReplaced) {
            assertThat(file).hasBinaryContent(foreign);
        }
    }
}
