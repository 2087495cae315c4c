/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namenode's end of a connection. Each call is answered when its messages have been handled, with what there is to
 * say: usually the answers to these messages, which the receiver sends while it handles them. What does not fit stays
 * for the next calls. If there is something to say and no call to answer, one payload goes out unasked, and the client
 * makes calls.
 *
 * <p>While much waits to be fetched, further messages are not handled: a client that does not fetch its answers costs a
 * bounded amount of memory. The public methods are thread safe; the events come from the completion loop.
 */
final class ServerChannel implements RpcChannel, LinkEvents {
    private static final Logger LOG = LoggerFactory.getLogger(ServerChannel.class);
    private static final int MUCH_BYTES = 64 * 1024;
    private static final long GREETING_LIMIT_MS = 10_000;
    private static final long CLOSE_LIMIT_MS = 1_000;

    private final LoopThread loop;
    private final Greeting own;
    private final RpcServer.Acceptor acceptor;
    private final Queue<Encodable> inbox = new ConcurrentLinkedQueue<>();
    private final StreamOutput output = new StreamOutput();
    private final StreamInput input;
    private final ArrayDeque<Integer> unanswered = new ArrayDeque<>();
    private final Payload answer = this::writeAnswer;
    private final int muchBytes;
    private final Future<?> greetingLimit;

    private volatile PayloadLink link;
    private Receiver receiver;
    private Greeting agreed;
    private boolean greetingIsDue;
    private boolean answering;
    private int toldBytes;
    private int sending;
    private int unaskedPayloads;
    private int unaskedSeen;
    private volatile boolean closedHere;
    private boolean ended;

    /** Makes the channel of a link that is about to be connected; the acceptor is asked when the client has greeted. */
    ServerChannel(PayloadLink link, LoopThread loop, Greeting own, RpcServer.Acceptor acceptor) {
        this.link = link;
        this.loop = loop;
        this.own = own;
        this.acceptor = acceptor;
        this.input = new StreamInput((own.depth() + 1) * own.payloadBytes());
        this.muchBytes = MUCH_BYTES + own.payloadBytes();
        this.greetingLimit = SharedTimer.after(GREETING_LIMIT_MS, () -> loop.execute(this::endUnlessGreeted));
    }

    private void endUnlessGreeted() {
        if (agreed == null) {
            link.end(new ProtocolMismatchException("it connected and sent no greeting"));
        }
    }

    @Override
    public void send(Encodable message) {
        if (loop.isCurrent()) {
            add(message);
        } else {
            inbox.add(message);
            loop.execute(this::takeInbox);
        }
    }

    private void add(Encodable message) {
        if (ended) {
            return;
        }
        try {
            output.add(message);
            sendUnaskedIfNeeded();
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("a message to {} could not be sent; closing the connection", peer(), e);
            link.end(e);
        }
    }

    private void takeInbox() {
        for (Encodable message = inbox.poll(); message != null; message = inbox.poll()) {
            add(message);
        }
    }

    private void sendUnaskedIfNeeded() throws IOException {
        if (agreed != null && output.bytes() > 0 && !isCallExpected()) {
            if (trySend(ClientChannel.NO_CALL - unaskedPayloads)) {
                unaskedPayloads++;
            }
        }
    }

    /** The client makes calls when it knows that there is something to fetch, and one for each unasked payload. */
    private boolean isCallExpected() {
        return answering || !unanswered.isEmpty() || toldBytes > 0 || unaskedSeen < unaskedPayloads;
    }

    /** Sends what there is to say; then there may be room for further messages. */
    private boolean trySend(int ticket) throws IOException {
        if (!link.send(ticket, answer)) {
            return false;
        }
        sending++;
        if (input.hasRest()) {
            deliver();
        }
        return true;
    }

    @Override
    public void onPayload(int ticket, ByteBuffer payload) throws IOException {
        if (ticket < 0) {
            throw new ProtocolMismatchException("a call with the ticket " + ticket + " arrived");
        }
        answering = true;
        if (agreed == null) {
            agreed = own.commonWith(Greeting.read(payload));
            greetingIsDue = true;
            greetingLimit.cancel(false);
            receiver = acceptor.accept(this);
        } else if (payload.remaining() < Payload.HEADER_BYTES) {
            throw new ProtocolMismatchException("a call of " + payload.remaining() + " bytes arrived");
        } else {
            unaskedSeen = payload.getInt();
            input.accept(payload);
            deliver();
        }
    }

    private void deliver() throws CrailException {
        while (output.bytes() < muchBytes && !closedHere && !ended) {
            ByteBuffer message = input.next();
            if (message == null) {
                break;
            }
            receiver.onMessage(message);
        }
        input.keepRest();
    }

    @Override
    public void onReceiveReady(int ticket) throws IOException {
        answer(ticket);
        answering = false;
        if (closedHere) {
            closeWhenSent();
        }
    }

    private void answer(int ticket) throws IOException {
        if (greetingIsDue) {
            greetingIsDue = false;
            link.send(ticket, own);
            sending++;
        } else if (!unanswered.isEmpty() || !trySend(ticket)) {
            unanswered.add(ticket);
        }
    }

    private void writeAnswer(ByteBuffer out) {
        int start = out.position();
        out.limit(start + agreed.payloadBytes());
        out.putInt(0);
        output.fill(out);
        toldBytes = output.bytes();
        out.putInt(start, toldBytes);
    }

    @Override
    public void onSent(int ticket) throws IOException {
        sending--;
        if (!unanswered.isEmpty() && trySend(unanswered.peek())) {
            unanswered.poll();
        }
        if (closedHere) {
            closeWhenSent();
        } else if (!answering) {
            sendUnaskedIfNeeded();
        }
    }

    @Override
    public String peer() {
        return link.peer();
    }

    /** What was sent before, the reason of a refusal for example, leaves before the connection ends. */
    @Override
    public void close() {
        if (!closedHere) {
            closedHere = true;
            loop.execute(this::closeWhenSent);
            SharedTimer.after(CLOSE_LIMIT_MS, () -> link.end(null));
        }
    }

    private void closeWhenSent() {
        if (sending == 0 && output.bytes() == 0 && !answering) {
            link.end(null);
        }
    }

    @Override
    public void onEnd(Throwable cause) {
        ended = true;
        greetingLimit.cancel(false);
        link = new EndedLink(link.peer());
        if (receiver != null) {
            receiver.onClosed(closedHere ? null : cause);
        }
    }
}
