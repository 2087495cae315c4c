/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.simulation.clock.SimulatedProcess;

/**
 * A connection for metadata. Messages of a direction stay in order. When it fails, what was sent to the namenode may
 * still arrive, so that requests are sent twice, or come behind those of the next connection. Confined to its
 * scheduler.
 */
final class Connection {
    private final Network network;
    private final End client;
    private final End server;

    Connection(
            Network network,
            SimulatedProcess clientProcess,
            RpcChannel.Receiver clientReceiver,
            SimulatedProcess serverProcess,
            RpcServer.Acceptor acceptor) {
        this.network = network;
        this.client = new End(clientProcess);
        this.server = new End(serverProcess);
        client.other = server;
        server.other = client;
        client.receiver = clientReceiver;
        server.receiver = acceptor.accept(server);
    }

    RpcChannel channel() {
        return client;
    }

    boolean belongsTo(SimulatedProcess process) {
        return client.process == process || server.process == process;
    }

    boolean hasEnded() {
        return client.closed && server.closed;
    }

    /** Breaks it: the client hears nothing more, and of what it has sent the namenode hears some. */
    void fail() {
        client.end(new IOException("connection reset"), false);
        server.heldUntilNs = network.scheduler().nanoTime() + network.holdNs();
        server.end(new IOException("connection reset"), network.random().nextInt(3) > 0);
    }

    private final class End implements RpcChannel {
        private final SimulatedProcess process;
        private End other;
        private Receiver receiver;
        private long lastArrivalNs;
        private long heldUntilNs; // what had been sent when it failed is looked at so late
        private boolean isClosing; // nothing more is sent to it
        private boolean drops; // what is on its way is lost
        private boolean closed;

        End(SimulatedProcess process) {
            this.process = process;
        }

        @Override
        public void send(Encodable message) {
            if (process.hasCrashed() || other.isClosing || isClosing) {
                return;
            }
            ByteBuffer bytes = ByteBuffer.allocate(message.encodedLength());
            message.encode(bytes);
            bytes.flip();
            End to = other;
            to.deliver(process, () -> to.receive(bytes));
        }

        private void receive(ByteBuffer bytes) {
            long nowNs = network.scheduler().nanoTime();
            if (closed || drops) {
                return;
            }
            if (nowNs < heldUntilNs) {
                lastArrivalNs = Math.max(lastArrivalNs + 1, heldUntilNs);
                network.scheduler().after(process, lastArrivalNs - nowNs, () -> receive(bytes));
                return;
            }
            receiver.onMessage(bytes);
        }

        private void deliver(SimulatedProcess from, Runnable task) {
            long nowNs = network.scheduler().nanoTime();
            long arrivesNs = network.passesAt(from, process, nowNs + network.delayNs());
            lastArrivalNs = Math.max(lastArrivalNs + 1, arrivesNs);
            network.scheduler().after(process, lastArrivalNs - nowNs, task);
        }

        @Override
        public String peer() {
            return other.process.name();
        }

        @Override
        public void close() {
            end(null, false);
            other.end(new IOException("closed by the other end"), true);
        }

        /** Tells the receiver that it is over, behind what arrives before. */
        private void end(IOException cause, boolean hearsTheRest) {
            if (isClosing) {
                return;
            }
            isClosing = true;
            drops = !hearsTheRest;
            deliver(other.process, () -> closeNow(cause));
        }

        private void closeNow(IOException cause) {
            long nowNs = network.scheduler().nanoTime();
            if (nowNs < heldUntilNs) {
                lastArrivalNs = Math.max(lastArrivalNs + 1, heldUntilNs);
                network.scheduler().after(process, lastArrivalNs - nowNs, () -> closeNow(cause));
            } else if (!closed) {
                closed = true;
                receiver.onClosed(cause);
            }
        }
    }
}
