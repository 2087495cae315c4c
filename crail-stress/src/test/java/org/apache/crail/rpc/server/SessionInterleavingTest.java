/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.interleaving.Interleavings;
import org.apache.crail.interleaving.ManualSurroundings;
import org.apache.crail.interleaving.Threads;
import org.apache.crail.namenode.NameNodeService;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.GoodbyeRequest;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions whose requests come twice, over several connections, while they end. */
@Tag("fray")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SessionInterleavingTest {
    private static final int TIMES = 1_000;
    private static final long INCARNATION = 7;
    private static final long IDLE_MS = 1_000;

    private static HelloRequest hello(long client, long openedAt) {
        return new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "c", client, 2, openedAt);
    }

    /** A client's end of a connection. Used by one thread at a time. */
    private static final class Client implements RpcChannel {
        private final List<ResponseFrame> answers = new ArrayList<>();
        private final Receiver server;

        Client(MetadataAcceptor acceptor, String clusterId) {
            server = acceptor.accept(this);
            send(0, new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, clusterId, 1, 2, 0));
            assertThat(answer(0).status()).isEqualTo(ResponseFrame.OK);
        }

        void send(long id, Request<?> request) {
            RequestFrame frame = new RequestFrame(id, Math.min(id, 1), request);
            ByteBuffer bytes = ByteBuffer.allocate(frame.encodedLength());
            frame.encode(bytes);
            server.onMessage(bytes.flip());
        }

        /** The latest one. */
        ResponseFrame answer(long id) {
            ResponseFrame last = answers.get(answers.size() - 1);
            assertThat(last.requestId()).isEqualTo(id);
            return last;
        }

        void end() {
            server.onClosed(null);
        }

        @Override
        public void send(Encodable message) {
            answers.add((ResponseFrame) message);
        }

        @Override
        public String peer() {
            return "client";
        }

        @Override
        public void close() {}
    }

    /** A namenode with two connections of one client, which sends the same request over both. */
    private static final class Twice implements Interleavings.Fixture {
        private final ManualSurroundings surroundings = new ManualSurroundings();
        private final NameNodeService service;
        private final MetadataAcceptor acceptor;
        private final Client first;
        private final Client second;
        private final Threads threads = new Threads();

        Twice() throws CrailException {
            service = new NameNodeService(
                    NamenodeSettings.of(CrailConfiguration.createEmptyConfiguration(), INCARNATION), surroundings);
            acceptor = new MetadataAcceptor(service);
            first = client();
            second = client();
            Request<?> create = new CreateRequest(CrailPath.parse("/d"), CrailNodeType.DIRECTORY, 0, 0, false);
            threads.add("first", () -> first.send(1, create)).add("second", () -> second.send(1, create));
        }

        Client client() {
            return new Client(acceptor, service.cluster().clusterId());
        }

        long executed() {
            return service.counters().of(Operation.CREATE);
        }

        @Override
        public void end() throws InterruptedException {
            surroundings.end();
        }
    }

    @Test
    void shouldExecuteARequestOnceThatComesOverTwoConnections() {
        Interleavings.explore(TIMES, Twice::new, twice -> {
            twice.threads.run();
            assertThat(twice.executed()).isEqualTo(1);
            assertThat(twice.first.answer(1).status()).isEqualTo(ResponseFrame.OK);
            assertThat(twice.second.answer(1)).isEqualTo(twice.first.answer(1));
        });
    }

    @Test
    void shouldExecuteARequestOnceOrNotAtAllWhenTheSessionEndsMeanwhile() {
        Interleavings.explore(TIMES, Twice::new, twice -> {
            Client leaving = twice.client();
            twice.threads
                    .add("leaving", () -> {
                        leaving.send(2, new GoodbyeRequest());
                        leaving.end();
                    })
                    .run();
            int first = twice.first.answer(1).status();
            int second = twice.second.answer(1).status();
            assertThat(List.of(first, second)).isSubsetOf(ResponseFrame.OK, ErrorCode.SESSION_LOST.number());
            boolean isDone = first == ResponseFrame.OK || second == ResponseFrame.OK;
            assertThat(twice.executed()).isEqualTo(isDone ? 1 : 0);
            twice.first.end();
            twice.second.end();
            assertThat(twice.acceptor.sessions()).isZero();
        });
    }

    private static void execute(ClientSession session, long id) throws CrailException {
        AtomicInteger executed = new AtomicInteger();
        ResponseFrame reply = session.executeOnce(
                new RequestFrame(id, 1, new PingRequest(0)),
                () -> ResponseFrame.success(id, new PingResponse(executed.incrementAndGet())));
        assertThat(reply.requestId()).isEqualTo(id);
    }

    @Test
    void shouldGiveBackAllMemoryOfASessionThatEndsWhileItIsUsed() {
        Interleavings.explore(TIMES, () -> {
            ReplyBudget budget = new ReplyBudget(1 << 20);
            ClientSession session = new ClientSession(new UUID(1, 2), HelloRequest.WINDOW_SIZE, budget);
            new Threads()
                    .add("first", () -> executeUnlessOver(session, 1))
                    .add("second", () -> executeUnlessOver(session, 2))
                    .add("end", session::end)
                    .run();
            assertThat(budget.takenBytes()).isZero();
        });
    }

    private static void executeUnlessOver(ClientSession session, long id) throws CrailException {
        try {
            execute(session, id);
        } catch (SessionLostException e) {
            assertThat(e).hasMessageContaining("over");
        }
    }

    @Test
    void shouldNotGiveOutASessionThatIsForgotten() {
        Interleavings.explore(TIMES, ManualSurroundings::new, surroundings -> {
            Sessions sessions = new Sessions(1 << 20, TimeUnit.MILLISECONDS.toNanos(IDLE_MS), 1);
            for (long client = 1; client <= 3; client++) {
                sessions.disconnected(sessions.open(hello(client, HelloRequest.NOWHERE), INCARNATION));
            }
            new Threads()
                    .add("sweep", () -> surroundings.pass(2 * IDLE_MS))
                    .add("second", () -> comeBack(sessions, 2))
                    .add("third", () -> comeBack(sessions, 3))
                    .run();
            surroundings.pass(2 * IDLE_MS);
            assertThat(sessions.size()).isZero();
        });
    }

    private static void comeBack(Sessions sessions, long client) throws CrailException {
        ClientSession session;
        try {
            session = sessions.open(hello(client, INCARNATION), INCARNATION);
        } catch (SessionLostException e) {
            assertThat(e).hasMessageContaining("keeps no session");
            return;
        }
        execute(session, 1);
        sessions.disconnected(session);
    }
}
