/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.BYTES;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.CAPACITY;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.CLIENT_MARK;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.FROM_CLIENT;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.FROM_SERVER;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.READ;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.READER_SLEEPS;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.TIMEOUT_MS;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.WRITER_WAITS;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.await;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.frame;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.map;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.readInt;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and clients that do not do what they should when one asks for memory, and servers beside such clients. */
@ExtendWith(LeakGuard.class)
class MemoryQuestionTest {
    private static final int SHORT_TIMEOUT_MS = 2_000;
    private static final String LOCAL = "a process on this host";
    private static final byte[] EMPTY = {0, 0, 0, 0};

    /** A message that takes half of what memory holds. */
    private static final byte[] HALF = frame(new byte[CAPACITY / 2 - 4]);

    @TempDir
    private Path directory;

    private final List<AutoCloseable> closers = new CopyOnWriteArrayList<>();
    private final RecordingReceiver receiver = new RecordingReceiver();

    @BeforeEach
    void requireEpoll() {
        assumeTrue(Epoll.isAvailable());
    }

    private TcpNameNode transport() throws IOException {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
        conf.set(TcpTierKeys.NAMENODE_CORES, 1);
        TcpNameNode transport = new TcpNameNode();
        transport.init(conf);
        closers.add(transport);
        return transport;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closer : closers) {
            closer.close();
        }
    }

    private CompletableFuture<RpcChannel> connecting(FakeNamenode server) throws IOException {
        return transport().connect(server.address, TIMEOUT_MS, receiver);
    }

    private static RpcChannel connected(CompletableFuture<RpcChannel> connecting) throws Exception {
        return connecting.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/no/such/file", "\0", "/dev/null", "/"})
    void shouldStayWithTheSocketIfNoMemoryIsOffered(String answer) throws Exception {
        FakeNamenode server = new FakeNamenode(directory, closers);
        CompletableFuture<RpcChannel> connecting = connecting(server);
        SocketChannel client = server.client();
        write(client, frame(answer.getBytes(StandardCharsets.UTF_8)));
        RpcChannel channel = connected(connecting);
        assertThat(channel.peer()).isEqualTo(LOCAL);
        channel.send(new TestMessage(3, 8));
        assertThat(readInt(client)).isEqualTo(8);
    }

    private static void assertClosed(SocketChannel client) throws IOException {
        assertThat(client.read(ByteBuffer.allocate(1)))
                .as("the socket has been closed")
                .isEqualTo(-1);
    }

    private static void assertStaysWithTcp(RpcChannel channel, FakeNamenode server) throws Exception {
        assertThat(channel.peer()).isNotEqualTo(LOCAL);
        assertClosed(server.client());
        channel.send(new TestMessage(3, 8));
        assertThat(new DataInputStream(server.remote().getInputStream()).readInt())
                .isEqualTo(8);
    }

    /** A file of the same name in another file system, for example. */
    @Test
    void shouldStayWithTcpIfTheServerHasOtherMemory() throws Exception {
        FakeNamenode server = new FakeNamenode(directory, closers);
        CompletableFuture<RpcChannel> connecting = connecting(server);
        SocketChannel client = server.client();
        write(client, frame(server.newOffer()));
        assertThat(readInt(client)).as("the client has mapped it").isZero();
        write(client, EMPTY); // no mark
        assertStaysWithTcp(connected(connecting), server);
    }

    @Test
    void shouldStayWithTcpIfTheServerAnswersTwiceAtOnce() throws Exception {
        FakeNamenode server = new FakeNamenode(directory, closers);
        CompletableFuture<RpcChannel> connecting = connecting(server);
        SocketChannel client = server.client();
        byte[] offer = frame(server.newOffer());
        write(
                client,
                ByteBuffer.allocate(offer.length + EMPTY.length)
                        .put(offer)
                        .put(EMPTY)
                        .array());
        assertThat(readInt(client)).as("the client has mapped it").isZero();
        assertStaysWithTcp(connected(connecting), server);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveUpAServerThatFallsSilent(boolean offers) throws Exception {
        FakeNamenode server = new FakeNamenode(directory, closers);
        CompletableFuture<RpcChannel> connecting = transport().connect(server.address, SHORT_TIMEOUT_MS, receiver);
        SocketChannel client = server.client();
        if (offers) {
            write(client, frame(server.newOffer()));
            assertThat(readInt(client)).as("the client has mapped it").isZero();
        }
        assertThatThrownBy(() -> connected(connecting))
                .hasCauseInstanceOf(NamenodeUnreachableException.class)
                .hasMessageContaining("did not answer in time");
        assertClosed(client);
    }

    @Test
    void shouldStayWithTcpIfTheServerClosesTheSocket() throws Exception {
        FakeNamenode server = new FakeNamenode(directory, closers);
        CompletableFuture<RpcChannel> connecting = connecting(server);
        server.client().close();
        assertThat(connected(connecting).peer()).isNotEqualTo(LOCAL);
    }

    /** A real server, and the end of a client that this test plays. */
    private SocketChannel client() throws Exception {
        closers.add(
                transport().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new EchoAcceptor(1)));
        return anotherClient();
    }

    private SocketChannel anotherClient() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Path socket = files.filter(file -> file.toString().endsWith(".sock"))
                    .findAny()
                    .orElseThrow();
            SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            closers.add(client);
            return client;
        }
    }

    private static Path offer(SocketChannel client) throws IOException {
        write(client, EMPTY);
        byte[] path = new byte[readInt(client)];
        new DataInputStream(Channels.newInputStream(client)).readFully(path);
        return Path.of(new String(path, StandardCharsets.UTF_8));
    }

    private static void assertEcho(SocketChannel client) throws IOException {
        write(client, frame(new byte[] {1, 2, 3}));
        assertThat(readInt(client)).isEqualTo(3);
        byte[] echo = new byte[3];
        new DataInputStream(Channels.newInputStream(client)).readFully(echo);
        assertThat(echo).containsExactly(1, 2, 3);
    }

    @Test
    void shouldServeAClientThatDoesNotTakeTheOffer() throws Exception {
        SocketChannel client = client();
        Path offered = offer(client);
        assertThat(offered).exists();
        assertEcho(client);
        assertThat(offered).doesNotExist();
        assertThat(offer(client)).as("another offer").isNotEqualTo(offered).exists();
    }

    @Test
    void shouldRefuseAClientThatHasOtherMemory() throws Exception {
        SocketChannel client = client();
        Path offered = offer(client);
        write(client, EMPTY);
        assertThat(readInt(client)).as("an empty answer").isZero();
        assertThat(offered).doesNotExist();
        assertEcho(client);
    }

    @Test
    void shouldOfferNoMoreMemoryThanConnectionsMayUse() throws Exception {
        List<SocketChannel> clients = new ArrayList<>(List.of(client()));
        Path first = offer(clients.get(0));
        assertThat(first).exists();
        int offers = 1;
        for (int i = 0; i < 80; i++) {
            clients.add(anotherClient());
            offers += offer(clients.get(clients.size() - 1)).toString().isEmpty() ? 0 : 1;
        }
        assertThat(offers).isEqualTo(64);

        clients.get(0).close();
        await("the offer has gone", () -> !Files.exists(first));
        assertThat(offer(anotherClient()))
                .as("the place of the one that has gone")
                .exists();
        assertEcho(clients.get(80));
    }

    @Test
    void shouldTakeTheOfferBackFromAClientThatGoes() throws Exception {
        SocketChannel client = client();
        Path offered = offer(client);
        client.close();
        await("the offer has gone", () -> !Files.exists(offered));
    }

    private static ByteBuffer goOver(SocketChannel client) throws IOException {
        Path offered = offer(client);
        ByteBuffer memory = map(offered);
        memory.putLong(CLIENT_MARK, 1);
        write(client, EMPTY);
        assertThat(client.read(ByteBuffer.allocate(1))).as("a wake-up").isEqualTo(1);
        assertThat(offered).doesNotExist();
        return memory;
    }

    /** Puts a frame behind what was written, without a wake-up; the position behind it. */
    private static long put(ByteBuffer memory, long written, byte[] frame) {
        memory.put(FROM_CLIENT + BYTES + (int) (written % CAPACITY), frame);
        VarHandle.fullFence();
        memory.putLong(FROM_CLIENT, written + frame.length);
        VarHandle.fullFence();
        return written + frame.length;
    }

    @Test
    void shouldSpeakAsTheDocumentationSays() throws Exception {
        SocketChannel client = client();
        ByteBuffer memory = goOver(client);
        memory.putLong(FROM_SERVER + READER_SLEEPS, 1);
        assertThat(put(memory, 0, frame(new byte[] {1, 2, 3}))).isEqualTo(7);
        write(client, (byte) 0);
        assertThat(client.read(ByteBuffer.allocate(1))).as("a wake-up").isEqualTo(1);
        VarHandle.fullFence();
        assertThat(memory.getLong(FROM_SERVER)).isEqualTo(7);
        byte[] echo = new byte[7];
        memory.get(FROM_SERVER + BYTES, echo);
        assertThat(echo).isEqualTo(frame(new byte[] {1, 2, 3}));
        assertThat(memory.getLong(FROM_SERVER + READER_SLEEPS))
                .as("has been woken")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {64 * 1024 + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void shouldEndAConnectionWhoseClientWritesNonsense(long written) throws Exception {
        SocketChannel client = client();
        goOver(client).putLong(FROM_CLIENT, written);
        VarHandle.fullFence();
        wakeToEnd(client);
    }

    /** The end of the connection may come before the wake-up, from a loop that is awake, or before it has been read. */
    private static void wakeToEnd(SocketChannel channel) {
        try {
            write(channel, (byte) 0);
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        } catch (IOException e) {
            assertThat(e.getMessage()).containsAnyOf("reset", "Broken pipe");
        }
    }

    @Test
    void shouldEndAConnectionWhoseClientSendsNoFrames() throws Exception {
        SocketChannel client = client();
        put(goOver(client), 0, new byte[] {-1, -1, -1, -1});
        wakeToEnd(client);
    }

    /** What it has sent does not fit where the server keeps a message that is not complete. */
    @Test
    void shouldServeOthersAfterAClientThatEndsBesideAFullRing() throws Exception {
        SocketChannel client = client();
        ByteBuffer memory = goOver(client);
        byte[] begin = new byte[10];
        ByteBuffer.wrap(begin).putInt(1_000);
        long taken = put(memory, 0, begin);
        write(client, (byte) 0);
        await("the beginning has been taken", () -> memory.getLong(FROM_CLIENT + READ) == taken);
        await("the server sleeps", () -> memory.getLong(FROM_CLIENT + READER_SLEEPS) != 0);
        memory.putLong(FROM_CLIENT, taken + CAPACITY);
        client.close();
        assertEcho(anotherClient());
    }

    /** The server finds the connection broken when it answers, and reads the frame before it has gone over. */
    @Test
    void shouldServeOthersAfterAClientThatSendsTooEarlyAndHearsNothing() throws Exception {
        SocketChannel client = client();
        Path offered = offer(client);
        ByteBuffer memory = map(offered);
        memory.putLong(CLIENT_MARK, 1);
        put(memory, 0, frame(new byte[] {1, 2, 3}));
        client.shutdownInput();
        write(client, EMPTY);
        await("the server takes the offer back", () -> !Files.exists(offered));
        assertEcho(anotherClient());
    }

    /** The position is not looked at before the ring is full. */
    @ParameterizedTest
    @ValueSource(longs = {CAPACITY + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void shouldEndAConnectionWhoseClientHasReadWhatCannotBe(long read) throws Exception {
        SocketChannel client = client();
        ByteBuffer memory = goOver(client);
        memory.putLong(FROM_SERVER + READ, read);
        long filled = put(memory, put(memory, 0, HALF), HALF);
        write(client, (byte) 0);
        await("the ring of answers is full", () -> memory.getLong(FROM_SERVER) == filled);
        put(memory, filled, HALF);
        wakeToEnd(client);
    }

    @Test
    void shouldRefuseASecondQuestion() throws Exception {
        SocketChannel client = client();
        ByteBuffer memory = goOver(client);
        long asked = put(memory, 0, EMPTY);
        write(client, (byte) 0);
        await("an answer", () -> memory.getLong(FROM_SERVER) != 0);
        assertThat(memory.getLong(FROM_SERVER)).isEqualTo(EMPTY.length);
        assertThat(memory.getInt(FROM_SERVER + BYTES)).as("its length").isZero();
        byte[] sent = frame(new byte[] {1, 2, 3});
        put(memory, asked, sent);
        write(client, (byte) 0);
        await("an echo", () -> memory.getLong(FROM_SERVER) == EMPTY.length + sent.length);
        byte[] echo = new byte[sent.length];
        memory.get(FROM_SERVER + BYTES + EMPTY.length, echo);
        assertThat(echo).isEqualTo(sent);
    }

    /** The server sleeps beside requests that it could read, and goes on when there is room for its answers. */
    @Test
    void shouldReadNoMoreFromAClientThatLeavesItsAnswers() throws Exception {
        SocketChannel client = client();
        ByteBuffer memory = goOver(client);
        long written = fillUntilServerSleeps(client, memory);
        long taken = 0;
        while (taken < written) {
            long before = taken;
            await("more answers", () -> memory.getLong(FROM_SERVER) != before);
            taken = memory.getLong(FROM_SERVER);
            VarHandle.fullFence();
            memory.putLong(FROM_SERVER + READ, taken);
            VarHandle.fullFence();
            if (memory.getLong(FROM_SERVER + WRITER_WAITS) != 0) {
                memory.putLong(FROM_SERVER + WRITER_WAITS, 0);
                write(client, (byte) 0);
            }
        }
        assertThat(memory.getLong(FROM_CLIENT + READ)).as("bytes that it took").isEqualTo(written);
    }

    private static long fillUntilServerSleeps(SocketChannel client, ByteBuffer memory) throws IOException {
        long written = 0;
        int stops = 0;
        while (stops < 2) { // the first mark may be of a sleep that began before the ring was full
            long read = memory.getLong(FROM_CLIENT + READ);
            while (written - read <= CAPACITY - HALF.length) {
                written = put(memory, written, HALF);
            }
            assertThat(written).as("bytes that it took").isLessThan(1024 * 1024);
            memory.putLong(FROM_SERVER + WRITER_WAITS, 0);
            VarHandle.fullFence();
            write(client, (byte) 0);
            await(
                    "the server reads or sleeps",
                    () -> memory.getLong(FROM_SERVER + WRITER_WAITS) != 0
                            || memory.getLong(FROM_CLIENT + READ) != read);
            stops = memory.getLong(FROM_CLIENT + READ) == read ? stops + 1 : 0;
        }
        return written;
    }
}
