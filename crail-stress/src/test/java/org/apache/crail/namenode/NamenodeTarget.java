/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.fuzz.Given;
import org.apache.crail.fuzz.Limits;
import org.apache.crail.fuzz.StoppedTime;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.Region;
import org.apache.crail.namenode.block.BlockSelection;
import org.apache.crail.namenode.block.RegistrationLimits;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.transport.RpcChannel;

/**
 * A namenode that hears what a client makes up: requests, each with its length before it. Each is answered, by no
 * internal error, the client can read the answer, and the books are right in the end. Stateless.
 */
public final class NamenodeTarget {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 8;
    private static final StoppedTime TIME = new StoppedTime();

    private NamenodeTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> {
            Surroundings.simulate(() -> TIME);
            try {
                take(new Given(input));
            } catch (CrailException e) {
                throw new AssertionError(e);
            } finally {
                Surroundings.simulate(null);
            }
        });
    }

    private static void take(Given input) throws CrailException {
        NameNodeService service = service();
        Answers answers = new Answers();
        RpcChannel.Receiver connection = new MetadataAcceptor(service).accept(answers);
        connection.onMessage(encoded(
                new RequestFrame(1, 1, new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "fuzz", 1, 2, 0))));
        answers.last();
        long id = 1;
        while (input.hasMore() && answers.isOpen) {
            byte[] request = input.bytes(input.largeNumber());
            id += 1;
            ByteBuffer message = ByteBuffer.allocate(2 * Long.BYTES + request.length)
                    .putLong(id)
                    .putLong(id)
                    .put(request)
                    .flip();
            connection.onMessage(message);
            if (request.length >= Short.BYTES) {
                check(request, answers.last());
            }
        }
        connection.onClosed(null);
        CheckResponse books = service.check(new CheckRequest());
        if (!books.problems().isEmpty()) {
            throw new AssertionError(books);
        }
    }

    private static NameNodeService service() throws CrailException {
        NamenodeSettings settings = new NamenodeSettings(
                "fuzz",
                7,
                BLOCK,
                BLOCK / 4,
                2,
                0,
                new Ownership("boss", "staff", 0777),
                1_000_000_000L,
                1_000_000_000L,
                1_000_000_000L,
                RegistrationLimits.of(4, 8, 4, 64, 32),
                BlockSelection.ROUNDROBIN,
                List.of());
        NameNodeService service = new NameNodeService(settings, TIME);
        service.register(new RegisterRequest(
                new DataNodeInfo(0, 0, 0, "dn", 50020), 1, List.of(new Region(0, 0, (long) BLOCKS * BLOCK, 1))));
        return service;
    }

    /** What the client makes of an answer. */
    private static void check(byte[] sent, ByteBuffer answer) {
        answer.getLong();
        int status = answer.getShort();
        if (status == ErrorCode.INTERNAL.number()) {
            throw new AssertionError(ResponseFrame.decodeError(status, answer));
        }
        try {
            if (status == ResponseFrame.OK) {
                ByteBuffer in = ByteBuffer.wrap(sent);
                Request<?> request = Operation.ofNumber(in.getShort()).decodeRequest(in);
                Encodable ignored = request.decodeResponse(answer);
            }
        } catch (CrailException e) {
            throw new AssertionError("what was done cannot be read", e);
        }
    }

    private static ByteBuffer encoded(Encodable message) {
        ByteBuffer out = ByteBuffer.allocate(message.encodedLength());
        message.encode(out);
        if (out.hasRemaining()) {
            throw new AssertionError(message + " is shorter than it says");
        }
        return out.flip();
    }

    /** The client's end. Used by one thread. */
    private static final class Answers implements RpcChannel {
        private final List<ByteBuffer> all = new ArrayList<>();
        private final String peer = new UUID(1, 2).toString();
        private boolean isOpen = true;

        @Override
        public void send(Encodable message) {
            all.add(encoded(message));
        }

        /** The only one since the last call. */
        ByteBuffer last() {
            if (all.size() != 1) {
                throw new AssertionError(all.size() + " answers to one request");
            }
            return all.remove(0);
        }

        @Override
        public String peer() {
            return peer;
        }

        @Override
        public void close() {
            isOpen = false;
        }
    }
}
