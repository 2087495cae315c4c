/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.network;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;

/** Connects to the namenode of the calling thread's simulation. Confined to its scheduler. */
public final class SimulatedTransport implements RpcTransport {
    @Override
    public void init(CrailConfiguration configuration) {}

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        Network network = Network.current();
        Scheduler scheduler = network.scheduler();
        SimulatedProcess process = scheduler.currentProcess();
        CompletableFuture<RpcChannel> connected = new CompletableFuture<>();
        RpcServer.Acceptor acceptor = network.namenode();
        SimulatedProcess namenode = network.namenodeProcess();
        if (acceptor == null || network.isCut(process, namenode)) {
            long waitNs = acceptor == null ? network.delayNs() : timeoutMs * 1_000_000L;
            scheduler.after(
                    process,
                    waitNs,
                    () -> connected.completeExceptionally(new NamenodeUnreachableException("nobody answers", null)));
            return connected;
        }
        scheduler.after(process, 2 * network.delayNs(), () -> {
            if (namenode.hasCrashed()) {
                connected.completeExceptionally(new NamenodeUnreachableException("connection reset", null));
                return;
            }
            Connection connection = new Connection(network, process, receiver, namenode, acceptor);
            network.connections().add(connection);
            connected.complete(connection.channel());
        });
        return connected;
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) {
        throw new UnsupportedOperationException("the simulated namenode is told by Network.listen");
    }

    @Override
    public void close() {}
}
