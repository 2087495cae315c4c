/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.netty.TcpTierKeys;
import org.junit.jupiter.api.io.TempDir;

/** The same, with messages that go through memory. */
class SharedLoopReconnectOverMemoryTest extends SharedLoopReconnectTest {
    @TempDir
    private Path directory;

    @Override
    void configure(CrailConfiguration conf) throws IOException {
        conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
    }

    @Override
    int leastTakers() {
        return 2;
    }

    @Override
    void assertWay(TcpRpcServer server) {
        assertThat(server.connections()).anyMatch(MemoryRpcTest::goesThroughMemory);
    }
}
