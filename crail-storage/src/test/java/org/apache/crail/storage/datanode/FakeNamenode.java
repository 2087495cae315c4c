/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.HeartbeatResponse;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RegisterResponse;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.server.MetadataService;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/** A namenode that only knows datanodes, and the transport to it. Thread safe. */
final class FakeNamenode implements RpcTransport {
    private final ExecutorService delivery = Executors.newSingleThreadExecutor();
    private final MetadataAcceptor acceptor = new MetadataAcceptor(service());
    final List<Long> registered = new CopyOnWriteArrayList<>();
    final List<RegisterRequest> requests = new CopyOnWriteArrayList<>();
    final AtomicInteger heartbeats = new AtomicInteger();

    /** How often the transport has been closed. */
    final AtomicInteger closes = new AtomicInteger();

    /** What registrations are refused with, or null. */
    volatile CrailException refusal;

    /** What heartbeats are refused with, or null. */
    volatile CrailException heartbeatRefusal;

    /** Runs before a datanode that signs off is answered. */
    volatile Runnable beforeSignOff = () -> {};

    /** The highest epoch of this namenode. */
    volatile long epochLimit;

    private volatile int failAt = -1;

    /** Forgets all regions, and fails the register request that comes after {@code succeeding} others, once. */
    void restart(int succeeding) {
        failAt = succeeding;
        registered.clear();
    }

    private MetadataService service() {
        return (MetadataService) Proxy.newProxyInstance(
                FakeNamenode.class.getClassLoader(),
                new Class<?>[] {MetadataService.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "cluster" -> new HelloResponse("crail", 1, 1 << 20, 0, 1, 1000);
                    case "register" -> register((RegisterRequest) args[0]);
                    case "heartbeat" -> heartbeat((HeartbeatRequest) args[0]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private RegisterResponse register(RegisterRequest request) throws CrailException {
        requests.add(request);
        if (refusal != null) {
            throw refusal;
        }
        if (request.epochLimit() < epochLimit) {
            return new RegisterResponse(registered.size(), epochLimit);
        }
        if (registered.size() == failAt) {
            failAt = -1;
            throw new InternalErrorException("failed on purpose");
        }
        long lba = request.regions().get(0).lba();
        if (!registered.contains(lba)) {
            registered.add(lba);
        }
        return new RegisterResponse(registered.size(), epochLimit);
    }

    private HeartbeatResponse heartbeat(HeartbeatRequest request) throws CrailException {
        heartbeats.incrementAndGet();
        if (request.last()) {
            beforeSignOff.run();
        }
        if (heartbeatRefusal != null) {
            throw heartbeatRefusal;
        }
        if (registered.isEmpty()) {
            throw new DatanodeNotRegisteredException("unknown");
        }
        return new HeartbeatResponse(registered.size());
    }

    @Override
    public void init(CrailConfiguration configuration) {}

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        End client = new End();
        End server = new End();
        client.peer = acceptor.accept(server);
        server.peer = receiver;
        return CompletableFuture.completedFuture(client);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        closes.incrementAndGet();
        delivery.shutdown();
    }

    private final class End implements RpcChannel {
        private Receiver peer;

        @Override
        public void send(Encodable message) {
            ByteBuffer bytes = ByteBuffer.allocate(message.encodedLength());
            message.encode(bytes);
            bytes.flip();
            delivery.execute(() -> peer.onMessage(bytes));
        }

        @Override
        public String peer() {
            return "fake";
        }

        @Override
        public void close() {}
    }
}
