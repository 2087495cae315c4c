/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jctools.queues.SpscArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's end of a connection. A message becomes a call as soon as the namenode has room for one; what waits for
 * room leaves together. Whoever sends posts the calls itself, for everybody who sends at the same time. While the
 * namenode has answers that did not fit, calls without a message fetch them.
 *
 * <p>The public methods are thread safe; the events come from the completion loop.
 */
final class ClientChannel implements RpcChannel, LinkEvents {
    /** From here downwards: the tickets of payloads that the namenode sends by itself. */
    static final int NO_CALL = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ClientChannel.class);
    private static final int QUEUE_CHUNK = 256;

    private final LoopThread loop;
    private final Receiver receiver;
    private final Greeting own;
    private final Opening opening;
    private final DaRPCCounters counters;
    private final CallSlot[] slots;
    private final Queue<CallSlot> freeSlots;
    private final Queue<Encodable> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final AtomicInteger pumpRequests = new AtomicInteger();
    private final StreamOutput output = new StreamOutput();
    private final StreamInput input;
    private final Payload data = this::writeData;
    private final Payload nothing = this::writeHeader;

    private volatile PayloadLink link;
    private Greeting agreed;
    private int unasked;
    private int acknowledged;
    private volatile int window;
    private volatile int backlogBytes;
    private volatile int unaskedPayloads;
    private volatile boolean closedHere;
    private volatile boolean ended;

    /** Makes the channel of a connected link. */
    ClientChannel(
            PayloadLink link,
            LoopThread loop,
            Greeting own,
            Receiver receiver,
            Opening opening,
            DaRPCCounters counters) {
        this.link = link;
        this.loop = loop;
        this.own = own;
        this.receiver = receiver;
        this.opening = opening;
        this.counters = counters;
        this.input = new StreamInput(own.payloadBytes());
        this.slots = new CallSlot[own.depth()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new CallSlot(i);
        }
        this.freeSlots = new SpscArrayQueue<>(Math.max(4, slots.length));
    }

    /** Sends the greeting; before the loop runs. */
    void greet() throws IOException {
        link.send(slots[0].begin(), own);
        counters.countCall();
    }

    @Override
    public void send(Encodable message) {
        if (ended) {
            return;
        }
        queue.offer(message);
        if (!loop.isCurrent()) {
            pump();
        }
    }

    /** Sends what can be sent; the loop calls it after the events of one poll. Thread safe. */
    void pump() {
        if (pumpRequests.getAndIncrement() != 0) {
            return; // whoever is at it goes round once more
        }
        int seen = 1;
        do {
            try {
                post();
            } catch (IOException | RuntimeException | Error e) { // otherwise nobody would be let in here any more
                fail(e);
            }
            seen = pumpRequests.addAndGet(-seen);
        } while (seen != 0);
    }

    private void post() throws IOException {
        while (!ended && window > 0) {
            boolean hasData = backlogBytes == 0 && takeMessages();
            if (!hasData && !wantsMore() && acknowledged == unaskedPayloads) {
                return;
            }
            CallSlot slot = freeSlots.poll();
            if (slot == null) {
                return;
            }
            if (!link.send(slot.begin(), hasData ? data : nothing)) {
                throw new IllegalStateException("no send buffer for a call that the namenode has room for");
            }
            counters.countCall();
        }
    }

    private boolean takeMessages() throws CrailException {
        while (output.bytes() < agreed.payloadBytes()) {
            Encodable message = queue.poll();
            if (message == null) {
                break;
            }
            output.add(message);
        }
        return output.bytes() > 0;
    }

    private boolean wantsMore() {
        int inFlight = window - freeSlots.size();
        return (long) inFlight * agreed.payloadBytes() < backlogBytes;
    }

    private void writeHeader(ByteBuffer out) {
        acknowledged = unaskedPayloads;
        out.putInt(acknowledged);
    }

    private void writeData(ByteBuffer out) {
        out.limit(out.position() + agreed.payloadBytes());
        writeHeader(out);
        output.fill(out);
    }

    @Override
    public void onPayload(int ticket, ByteBuffer payload) throws IOException {
        if (ticket <= NO_CALL) {
            unasked++;
            unaskedPayloads = unasked;
        } else {
            int index = CallSlot.indexOf(ticket);
            if (index >= slots.length || !slots[index].answer(ticket)) {
                throw new ProtocolMismatchException("an answer arrived to a call that was not made");
            }
        }
        if (agreed == null) {
            agreed = own.commonWith(Greeting.read(payload));
        } else if (payload.remaining() < Payload.HEADER_BYTES) {
            throw new ProtocolMismatchException("an answer of " + payload.remaining() + " bytes arrived");
        } else {
            backlogBytes = Math.max(0, payload.getInt());
            deliver(payload);
        }
    }

    private void deliver(ByteBuffer payload) throws CrailException {
        input.accept(payload);
        ByteBuffer message = input.next();
        while (message != null && !ended && !closedHere) {
            receiver.onMessage(message);
            message = input.next();
        }
        input.keepRest();
    }

    @Override
    public void onReceiveReady(int ticket) {
        if (ticket > NO_CALL) {
            freeIfDone(slots[CallSlot.indexOf(ticket)]);
        }
    }

    @Override
    public void onSent(int ticket) {
        CallSlot slot = slots[CallSlot.indexOf(ticket)];
        slot.sent();
        freeIfDone(slot);
    }

    private void freeIfDone(CallSlot slot) {
        if (!slot.endIfDone()) {
            return;
        }
        if (window > 0) {
            freeSlots.offer(slot);
        } else if (agreed != null) {
            for (int i = 0; i < agreed.depth(); i++) {
                freeSlots.offer(slots[i]);
            }
            window = agreed.depth();
            opening.onGreeted(this);
        }
    }

    private void fail(Throwable cause) {
        if (!ended && !closedHere) {
            LOG.debug("the connection to {} failed", peer(), cause);
        }
        link.end(cause);
    }

    @Override
    public String peer() {
        return link.peer();
    }

    @Override
    public void close() {
        closedHere = true;
        link.end(null);
    }

    @Override
    public void onEnd(Throwable cause) {
        ended = true;
        link = new EndedLink(link.peer());
        if (window > 0) {
            receiver.onClosed(closedHere ? null : cause);
        } else {
            opening.onNotGreeted(cause);
        }
    }

    /** How a connection begins; one of the two is called, once, by the completion loop. */
    interface Opening {
        /** The namenode has greeted; nothing has arrived before. */
        void onGreeted(ClientChannel channel);

        /** The connection ended before the namenode had greeted. */
        void onNotGreeted(Throwable cause);
    }
}
