/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.transport;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.conf.Plugins;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.SharedThreads;

/**
 * Carries messages between clients and a namenode, both ends. {@code crail.namenode.rpctype} names the class, which has
 * a public constructor without arguments. Other parts of a store may share its threads. Methods are thread safe after
 * {@link #init}.
 */
public interface RpcTransport extends SharedThreads, AutoCloseable {
    /** The largest message in bytes that every transport carries. */
    int MAX_MESSAGE_BYTES = 64 * 1024;

    /** Makes the transport that {@code className} names and initialises it. */
    static RpcTransport createInstance(String className, CrailConfiguration configuration) throws CrailException {
        RpcTransport transport = Plugins.newInstance(CrailKeys.NAMENODE_RPC_TYPE, className, RpcTransport.class);
        transport.init(configuration);
        return transport;
    }

    /** Takes its settings; called once, first. */
    void init(CrailConfiguration configuration) throws CrailException;

    /**
     * Connects to a namenode. The future fails with a NamenodeUnreachableException when nobody answers at the address
     * within {@code timeoutMs}.
     *
     * @param receiver told of what arrives; never before the future completes
     */
    CompletableFuture<RpcChannel> connect(InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver);

    /**
     * Accepts connections until the returned server is closed.
     *
     * @param address port 0 lets the system choose
     * @throws CrailException if the address cannot be bound; the message names it
     */
    RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) throws CrailException;

    /** Closes all connections and servers of this transport and waits for its threads. */
    @Override
    void close();
}
