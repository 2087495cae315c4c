/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.crail.namenode.rpc.tcp.TcpNameNode;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose threads serve a store's connections to datanodes. */
class ClientThreadsTest {
    @TempDir
    Path directory;

    private TierFixture fixture;
    private TcpNameNode transport;

    @BeforeEach
    void start() throws Exception {
        fixture = new TierFixture(directory, true).start();
        transport = new TcpNameNode();
        transport.init(fixture.conf);
    }

    @AfterEach
    void stop() {
        transport.close();
        fixture.close();
    }

    private void readBlock(StorageClient client) throws Exception {
        StorageEndpoint endpoint = client.createEndpoint(fixture.datanode());
        assertThat(TierFixture.get(endpoint.read(TierFixture.buffer(100), fixture.block(0), 0)))
                .isEqualTo(100);
    }

    @Test
    void shouldUseThoseOfItsTransportAndLeaveThemRunning() throws Exception {
        TcpStorageClient client = (TcpStorageClient) fixture.tier.createClient(fixture.conf, transport);
        assertThat(client.loops).isSameAs(transport.clientLoops());
        readBlock(client);
        client.close();
        assertThat(transport.clientLoops().group().isShuttingDown()).isFalse();
        try (StorageClient next = fixture.tier.createClient(fixture.conf, transport)) {
            readBlock(next);
        }
    }

    @Test
    void shouldHaveItsOwnIfSoManyAreAskedFor() throws Exception {
        fixture.conf.set(TcpTierKeys.STORAGE_CLIENT_CORES, 1);
        TcpStorageClient client = (TcpStorageClient) fixture.tier.createClient(fixture.conf, transport);
        assertThat(client.loops).isNotSameAs(transport.clientLoops());
        readBlock(client);
        client.close();
        assertThat(client.loops.group().isShuttingDown()).isTrue();
    }

    @Test
    void shouldHaveItsOwnBesideAnotherTransport() throws Exception {
        TcpStorageClient client = (TcpStorageClient) fixture.tier.createClient(fixture.conf, null);
        readBlock(client);
        client.close();
        assertThat(client.loops.group().isShuttingDown()).isTrue();
    }
}
