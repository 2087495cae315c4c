/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/** Carries messages over another transport and tells a {@link Probe}. All methods are thread safe. */
public final class ProbeTransport implements RpcTransport {
    private Probe probe;
    private RpcTransport delegate;

    @Override
    public void init(CrailConfiguration configuration) throws CrailException {
        probe = Probe.of(configuration);
        delegate = RpcTransport.createInstance(configuration.get(Probe.TRANSPORT_KEY), configuration);
        probe.uses(delegate);
    }

    @Override
    public <T> Optional<T> threads(Class<T> kind) throws CrailException {
        return delegate.threads(kind);
    }

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        Link link = new Link(receiver);
        return delegate.connect(address, timeoutMs, link).thenApply(link::over);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) throws CrailException {
        return delegate.listen(address, acceptor);
    }

    @Override
    public void close() {
        delegate.close();
    }

    /** One connection. */
    final class Link implements RpcChannel, RpcChannel.Receiver {
        private final RpcChannel.Receiver receiver;
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicBoolean cut = new AtomicBoolean();
        private RpcChannel channel;

        private Link(RpcChannel.Receiver receiver) {
            this.receiver = receiver;
        }

        private RpcChannel over(RpcChannel connected) {
            channel = connected;
            probe.add(this);
            return this;
        }

        /** Ends the connection as a fault of the network would: the other end is told late, this one at once. */
        void cut() {
            cut.set(true);
            channel.close();
        }

        @Override
        public void send(Encodable message) {
            tellProbe(message);
            channel.send(message);
        }

        @Override
        public void sendWithNext(Encodable message) {
            tellProbe(message);
            channel.sendWithNext(message);
        }

        private void tellProbe(Encodable message) {
            if (message instanceof RequestFrame frame) {
                probe.onRequest(frame.request().operation());
            }
        }

        @Override
        public void sendAwaited(Encodable message) {
            tellProbe(message);
            channel.sendAwaited(message);
        }

        @Override
        public void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
            channel.await(
                    () -> {
                        probe.onLook();
                        return hasCome.getAsBoolean();
                    },
                    idle,
                    limitNs);
        }

        @Override
        public void follow(Runnable what) {
            channel.follow(what);
        }

        @Override
        public String peer() {
            return channel.peer();
        }

        @Override
        public void close() {
            probe.remove(this);
            channel.close();
        }

        @Override
        public void onMessage(ByteBuffer message) {
            if (!probe.losesAnswer()) {
                receiver.onMessage(message);
            }
        }

        @Override
        public void onClosed(Throwable cause) {
            probe.remove(this);
            if (ended.compareAndSet(false, true)) {
                receiver.onClosed(cut.get() ? new IOException("the probe cut the connection") : cause);
            }
        }
    }
}
