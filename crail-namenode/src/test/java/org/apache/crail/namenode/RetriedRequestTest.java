/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The service behind the protocol: what is sent twice is done once. */
class RetriedRequestTest {
    private Fixture namenode;
    private MetadataAcceptor acceptor;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(20);
        acceptor = new MetadataAcceptor(namenode.service);
    }

    @Test
    void shouldAnswerARetriedCreateAsTheFirst() throws CrailException {
        CreateRequest create = new CreateRequest(CrailPath.parse("/a"), CrailNodeType.DATAFILE, -1, -1, true);
        ByteBuffer first = new Client().send(1, create);
        ByteBuffer second = new Client().send(1, create);
        assertThat(second).isEqualTo(first);
        CreateResponse response = decode(create, first);
        assertThat(namenode.info("/a").getFd()).isEqualTo(response.file().getFd());
        assertThat(namenode.check().nodes()).isEqualTo(2);
    }

    @Test
    void shouldAnswerARetriedMoveAndRemoveAsTheFirst() throws CrailException {
        namenode.file("/a");
        MoveRequest move = new MoveRequest(CrailPath.parse("/a"), CrailPath.parse("/b"));
        assertThat(new Client().send(1, move)).isEqualTo(new Client().send(1, move));
        RemoveRequest remove = new RemoveRequest(CrailPath.parse("/b"), false);
        ByteBuffer first = new Client().send(2, remove);
        assertThat(first.getShort(Long.BYTES)).isEqualTo((short) ResponseFrame.OK);
        assertThat(new Client().send(2, remove)).isEqualTo(first);
    }

    @Test
    void shouldGiveTheSameTokenToARetriedWriter() throws CrailException {
        namenode.close(namenode.file("/a").file(), 0);
        LookupRequest open = new LookupRequest(CrailPath.parse("/a"), true);
        LookupResponse first = decode(open, new Client().send(1, open));
        LookupResponse second = decode(open, new Client().send(1, open));
        assertThat(first.file().getToken()).isNotZero().isEqualTo(second.file().getToken());
    }

    @Test
    void shouldAnswerACloseThatIsSentAgainAsTheFirstThoughAnotherWriterCameInBetween() throws CrailException {
        CreateRequest create = new CreateRequest(CrailPath.parse("/a"), CrailNodeType.DATAFILE, -1, -1, true);
        CreateResponse created = decode(create, new Client().send(1, create));
        SyncRequest close =
                new SyncRequest(created.file().getFd(), created.file().getToken(), 3, SyncRequest.End.CLOSED);
        ByteBuffer first = new Client().send(2, close);
        assertThat(decode(close, first).capacity()).isEqualTo(3);
        LookupRequest open = new LookupRequest(CrailPath.parse("/a"), true);
        LookupResponse other = namenode.service.lookup(open);
        namenode.service.sync(
                new SyncRequest(other.file().getFd(), other.file().getToken(), 5, SyncRequest.End.CLOSED));

        assertThat(new Client().send(2, close)).isEqualTo(first);
    }

    @Test
    void shouldKeepTheTokenOfAWriterFromOneThatNumbersItsRequestsAsTheWriterDoes() throws CrailException {
        CreateRequest create = new CreateRequest(CrailPath.parse("/a"), CrailNodeType.DATAFILE, -1, -1, true);
        new Client().send(1, create);

        ByteBuffer stolen = new Client().send(1, new RemoveRequest(CrailPath.parse("/b"), true));

        assertThat(stolen.getShort(Long.BYTES)).isEqualTo((short) ErrorCode.SESSION_LOST.number());
    }

    private static <R extends Response> R decode(Request<R> request, ByteBuffer frame) throws CrailException {
        assertThat(frame.getShort(Long.BYTES)).isEqualTo((short) ResponseFrame.OK);
        return request.decodeResponse(
                frame.slice(ResponseFrame.HEADER_LENGTH, frame.remaining() - ResponseFrame.HEADER_LENGTH));
    }

    private static ByteBuffer encode(Encodable message) {
        ByteBuffer buffer = ByteBuffer.allocate(message.encodedLength());
        message.encode(buffer);
        return buffer.flip();
    }

    /** A connection of one and the same client. */
    private final class Client implements RpcChannel {
        private final List<ByteBuffer> received = new ArrayList<>();
        private final RpcChannel.Receiver receiver = acceptor.accept(this);

        Client() {
            receiver.onMessage(encode(new RequestFrame(
                    0, 1, new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "test", 1, 2, 0))));
            assertThat(received.remove(0).getShort(Long.BYTES)).isEqualTo((short) ResponseFrame.OK);
        }

        ByteBuffer send(long id, Request<?> request) {
            receiver.onMessage(encode(new RequestFrame(id, 1, request)));
            return received.remove(0);
        }

        @Override
        public void send(Encodable message) {
            received.add(encode(message));
        }

        @Override
        public String peer() {
            return "test";
        }

        @Override
        public void close() {}
    }
}
