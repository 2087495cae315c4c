/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.netty.RawSocket;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;

/** A datanode and its clients on loopback, for one test. Not thread safe. */
final class TierFixture implements AutoCloseable {
    static final int BLOCK = 64 * 1024;
    static final int REGION = 16 * BLOCK;

    final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
    final TcpStorageTier tier;
    private final List<Runnable> closers = new ArrayList<>();
    TcpStorageServer server;
    Region region;

    TierFixture(Path dataPath, boolean epoll) {
        tier = new TcpStorageTier(epoll);
        conf.set(CrailKeys.BLOCK_SIZE, (long) BLOCK);
        conf.set(CrailKeys.DATANODE_BIND, "127.0.0.1");
        conf.set(TcpTierKeys.STORAGE_PORT, 0);
        conf.set(TcpTierKeys.STORAGE_DATA_PATH, dataPath.toString());
        conf.set(TcpTierKeys.STORAGE_LIMIT, 2L * REGION);
        conf.set(TcpTierKeys.STORAGE_ALLOCATION_SIZE, (long) REGION);
        conf.set(TcpTierKeys.STORAGE_MAPPED, false);
        conf.set(TcpTierKeys.UNIX_SOCKETS, false);
    }

    TierFixture start() throws IOException {
        server = (TcpStorageServer) tier.launchServer(conf, List.of());
        closers.add(server::close);
        region = server.allocateRegion().orElseThrow();
        return this;
    }

    DataNodeInfo datanode() {
        return new DataNodeInfo(
                0,
                0,
                0,
                server.address().getAddress().getHostAddress(),
                server.address().getPort());
    }

    StorageClient client() throws IOException {
        StorageClient client = tier.createClient(conf);
        closers.add(client::close);
        return client;
    }

    StorageEndpoint endpoint() throws IOException {
        return client().createEndpoint(datanode());
    }

    BlockInfo block(int index) {
        return block(index, 1);
    }

    BlockInfo block(int index, long epoch) {
        long address = (long) index * BLOCK;
        return new BlockInfo(
                datanode(), region.lba() + address, region.address() + address, BLOCK, region.key(), epoch);
    }

    /** What begins a connection. */
    static ByteBuffer hello(long clientId, int version) {
        byte[] name = "crail".getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(100)
                .putInt(TransferProtocol.MAGIC)
                .putShort((short) version)
                .putLong(clientId)
                .putLong(clientId)
                .putShort((short) name.length)
                .put(name);
    }

    /** A connection on which requests may follow. */
    RawSocket greeted(long clientId) throws IOException {
        RawSocket socket = new RawSocket(server.address());
        socket.send(hello(clientId, TransferProtocol.VERSION));
        ByteBuffer answer = socket.receive(TransferProtocol.HELLO_ANSWER_BYTES);
        if (answer.getShort(6) != 0) {
            throw new AssertionError("the greeting is refused: " + answer.getShort(6));
        }
        socket.receive(answer.getInt(8));
        return socket;
    }

    /** The head of a request. */
    static ByteBuffer request(int operation, long id, BlockInfo block, int offset, int length) {
        return ByteBuffer.allocate(TransferProtocol.HEAD_BYTES)
                .putInt(operation)
                .putLong(id)
                .putInt(block.getLkey())
                .putLong(block.getAddr())
                .putInt(block.getLength())
                .putLong(block.epoch())
                .putInt(offset)
                .putInt(length)
                .position(TransferProtocol.HEAD_BYTES);
    }

    static CrailBuffer buffer(int capacity) throws IOException {
        return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(capacity));
    }

    static CrailBuffer random(Random random, int capacity) throws IOException {
        byte[] bytes = new byte[capacity];
        random.nextBytes(bytes);
        CrailBuffer buffer = buffer(capacity);
        buffer.put(bytes);
        buffer.clear();
        return buffer;
    }

    static byte[] bytes(CrailBuffer buffer, int from, int to) {
        byte[] bytes = new byte[to - from];
        buffer.getByteBuffer().duplicate().limit(to).position(from).get(bytes);
        return bytes;
    }

    static int get(CompletableFuture<Integer> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    static Throwable failure(CompletableFuture<?> future) throws Exception {
        try {
            Object result = future.get(30, TimeUnit.SECONDS);
            throw new AssertionError("succeeded with " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @Override
    public void close() {
        for (int i = closers.size() - 1; i >= 0; i--) {
            closers.get(i).run();
        }
    }
}
