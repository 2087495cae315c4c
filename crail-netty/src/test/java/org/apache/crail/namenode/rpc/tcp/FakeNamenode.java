/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.netty.LocalSocket;

/**
 * A namenode whose client comes over to its Unix domain socket. What it says there, and writes into the memory, is the
 * test's. Offsets are those of docs/protocol.md.
 */
final class FakeNamenode {
    static final int TIMEOUT_MS = 20_000;
    static final int CLIENT_MARK = 128;
    static final int SERVER_MARK = 256;
    static final int CAPACITY = 64 * 1024;
    static final int FROM_CLIENT = 384;
    static final int FROM_SERVER = FROM_CLIENT + 512 + CAPACITY;
    static final int READ = 128;
    static final int READER_SLEEPS = 256;
    static final int WRITER_WAITS = 384;
    static final int BYTES = 512;

    final InetSocketAddress address;
    private final List<AutoCloseable> closers;
    private final CompletableFuture<Socket> remote;
    private final CompletableFuture<SocketChannel> local;
    private ByteBuffer memory;
    private long written;

    /** Listens; what is to be closed after the test is added to a list. */
    FakeNamenode(Path directory, List<AutoCloseable> closers) throws IOException {
        this.closers = closers;
        ServerSocket port = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        closers.add(port);
        ServerSocketChannel unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        closers.add(unix);
        Path path = directory.resolve("crail-fake.sock");
        unix.bind(UnixDomainSocketAddress.of(path));
        address = (InetSocketAddress) port.getLocalSocketAddress();
        LocalSocket told = new LocalSocket(address, path);
        remote = later(() -> sendOver(port.accept(), told));
        local = remote.thenCompose(ignored -> later(() -> heardQuestion(unix.accept())));
    }

    private Socket sendOver(Socket accepted, LocalSocket told) throws IOException {
        closers.add(accepted);
        accepted.setSoTimeout(TIMEOUT_MS);
        assertThat(new DataInputStream(accepted.getInputStream()).readInt())
                .as("a question")
                .isZero();
        accepted.getOutputStream().write(frame(told.encoded()));
        return accepted;
    }

    private SocketChannel heardQuestion(SocketChannel accepted) throws IOException {
        closers.add(accepted);
        assertThat(readInt(accepted)).as("a question").isZero();
        return accepted;
    }

    private static <T> CompletableFuture<T> later(Callable<T> source) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return source.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    /** The client's connection over TCP. */
    Socket remote() throws Exception {
        return remote.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    /** Its connection over the Unix domain socket, when it has asked for memory there. */
    SocketChannel client() throws Exception {
        return local.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    /** Makes memory. Returns its path as an offer. */
    byte[] newOffer() throws IOException {
        MessageMemory made = MessageMemory.create();
        closers.add(made::removeName);
        return made.path().toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Offers memory and takes the client over to it. Returns the memory. */
    ByteBuffer goOver() throws Exception {
        byte[] offer = newOffer();
        memory = map(Path.of(new String(offer, StandardCharsets.UTF_8)));
        write(client(), frame(offer));
        assertThat(readInt(client())).as("the client has mapped it").isZero();
        assertThat(memory.getLong(CLIENT_MARK)).isEqualTo(1);
        memory.putLong(SERVER_MARK, 1);
        wake();
        return memory;
    }

    /** Puts bytes into the memory, without a wake-up. */
    void put(byte[] bytes) {
        memory.put(FROM_SERVER + BYTES + (int) (written % CAPACITY), bytes);
        VarHandle.fullFence();
        written += bytes.length;
        memory.putLong(FROM_SERVER, written);
        VarHandle.fullFence();
    }

    /** Asks the client for a wake-up. */
    void fallAsleep() {
        memory.putLong(FROM_CLIENT + READER_SLEEPS, 1);
        VarHandle.fullFence();
    }

    /** Wakes the client up. */
    void wake() throws Exception {
        write(client(), (byte) 0);
    }

    /** Waits until the client asks for a wake-up. */
    void awaitSleep() {
        await("the client sleeps", () -> memory.getLong(FROM_SERVER + READER_SLEEPS) != 0);
    }

    static byte[] frame(byte... message) {
        return ByteBuffer.allocate(4 + message.length)
                .putInt(message.length)
                .put(message)
                .array();
    }

    static int readInt(SocketChannel channel) throws IOException {
        return new DataInputStream(Channels.newInputStream(channel)).readInt();
    }

    static void write(SocketChannel channel, byte... bytes) throws IOException {
        channel.write(ByteBuffer.wrap(bytes));
    }

    static ByteBuffer map(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, file.size()).order(ByteOrder.nativeOrder());
        }
    }

    /** Polls until it is so, or the test takes too long. */
    static void await(String what, BooleanSupplier isSo) {
        while (!isSo.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
            VarHandle.fullFence();
        }
        assertThat(isSo.getAsBoolean()).as(what).isTrue();
    }
}
