/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NamenodeTest {
    private CrailConfiguration conf;

    @BeforeEach
    void configure() {
        conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.namenode.rpctype", NoTransport.class.getName());
        NoTransport.closed = 0;
    }

    private Namenode start() throws CrailException {
        return Namenode.start(conf, NamenodeOptions.anyPort());
    }

    @Test
    void shouldServeWhatTheConfigurationSays() throws CrailException {
        conf.set("crail.clusterid", "mine");
        conf.set("crail.blocksize", "8192");
        conf.set("crail.storage.classes", "4");
        conf.set("crail.tokenexpiration", "3");
        try (Namenode namenode = start()) {
            assertThat(namenode.address().getPort()).isEqualTo(NoTransport.PORT);
            var cluster = namenode.service().cluster();
            assertThat(cluster.clusterId()).isEqualTo("mine");
            assertThat(cluster.blockSizeBytes()).isEqualTo(8192);
            assertThat(cluster.storageClasses()).isEqualTo(4);
            assertThat(cluster.tokenExpirationMs()).isEqualTo(3000);
            assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.service()
                    .create(new CreateRequest(CrailPath.parse("/a"), CrailNodeType.DATAFILE, -1, -1, true)));
            assertThat(namenode.service().counters().of(Operation.CREATE)).isEqualTo(1);
        }
        assertThat(NoTransport.closed).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatThisReleaseDoesNotDo() {
        conf.set("crail.namenode.address", "crail://localhost:1,crail://localhost:2");
        assertThatThrownBy(this::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.namenode.address");
        conf.set("crail.namenode.address", null);
        conf.set("crail.namenode.log", "/tmp/log");
        assertThatThrownBy(this::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.namenode.log");
    }

    @Test
    void shouldRefuseWrongValues() {
        conf.set("crail.blocksize", "many");
        assertThatThrownBy(this::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.blocksize");
    }

    @Test
    void shouldRefuseServicesThatAreNone() {
        for (String wrong : new String[] {"no.such.Service", "java.lang.String"}) {
            conf.set("crail.namenode.rpcservice", wrong);
            assertThatThrownBy(this::start)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(wrong)
                    .hasMessageContaining("org.apache.crail.namenode.NameNodeService");
        }
    }

    @Test
    void shouldRefuseHostsThatAreUnknown() {
        conf.set("crail.namenode.bind", "no such host");
        assertThatThrownBy(this::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no such host");
    }

    @Test
    void shouldCloseTheTransportWhenTheAddressIsInUse() {
        assertThatThrownBy(() -> Namenode.start(conf, new NamenodeOptions("localhost", NoTransport.PORT_IN_USE)))
                .isInstanceOf(NamenodeUnreachableException.class)
                .hasMessageContaining(String.valueOf(NoTransport.PORT_IN_USE));
        assertThat(NoTransport.closed).isEqualTo(1);
    }

    /** Listens without a network. */
    public static final class NoTransport implements RpcTransport {
        static final int PORT = 4711;
        static final int PORT_IN_USE = 13;
        static int closed;

        @Override
        public void init(CrailConfiguration configuration) {}

        @Override
        public CompletableFuture<RpcChannel> connect(
                InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
            return CompletableFuture.failedFuture(new NamenodeUnreachableException("no network"));
        }

        @Override
        public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) throws CrailException {
            if (address.getPort() == PORT_IN_USE) {
                throw new NamenodeUnreachableException("port " + PORT_IN_USE + " is in use");
            }
            return new RpcServer() {
                @Override
                public InetSocketAddress address() {
                    return InetSocketAddress.createUnresolved(address.getHostString(), PORT);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
