/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.PeerLog;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.local.message.RingReader;
import org.apache.crail.netty.RingBuffers;
import org.apache.crail.netty.RingSink;
import org.apache.crail.netty.SharedEventLoop;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of a client's connection through memory: encodes into one ring, and takes messages out of the other.
 * Confined to the thread that holds the connection's lock, but for the methods that say otherwise.
 */
final class MemoryMessages {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryMessages.class);
    private static final PeerLog PEER_LOG = new PeerLog(LOG);
    private static final int READS_IN_A_ROW = 8;

    private final Doorbell doorbell;
    private final RpcChannel.Receiver receiver;
    private final SharedEventLoop loop;
    private final RingReader reader;
    private final RingSink sink;
    private final FrameInput input = new FrameInput();
    private final FrameOutput output;
    private final Unanswered unanswered = new Unanswered();
    private boolean isBellDue;

    /**
     * Prepares a connection without messages.
     *
     * @param receiver told of each message
     */
    MemoryMessages(Doorbell doorbell, MessageMemory memory, RpcChannel.Receiver receiver) {
        this.doorbell = doorbell;
        this.receiver = receiver;
        this.loop = SharedEventLoop.of(doorbell.socket().eventLoop());
        this.reader = memory.reader();
        this.sink = new RingSink(doorbell.socket(), memory.writer(), this::wakeOther, doorbell::end, bytes -> {});
        this.output = new FrameOutput(doorbell.socket());
        this.output.goOver(sink);
    }

    /** The ring that the namenode writes into. */
    RingReader reader() {
        return reader;
    }

    /** How many requests are not answered. Thread safe. */
    int unansweredCount() {
        return unanswered.count();
    }

    /** How many of them somebody may wait for. Thread safe. */
    int hurriedCount() {
        return unanswered.hurriedCount();
    }

    /** Whether something has come, or there is room for what waits. Thread safe. */
    boolean isReady() {
        try {
            return !doorbell.hasEnded() && (reader.hasBytes() || sink.canSendUnsent());
        } catch (InternalError e) { // the namenode has cut the file short
            doorbell.end(e);
            return false;
        }
    }

    /** Asks for a bell at the next answer. Returns whether nothing has come before. Thread safe. */
    boolean askForBell() {
        try {
            return reader.askForBell();
        } catch (InternalError e) { // as above
            doorbell.end(e);
            return true;
        }
    }

    /** Encodes a message, which {@link #flush} sends. */
    void add(Encodable message) {
        if (doorbell.hasEnded()) {
            return;
        }
        try {
            output.add(message instanceof Unhurried unhurried ? unhurried.message() : message);
            count(unanswered.sent(!(message instanceof Unhurried)));
        } catch (CrailException | RuntimeException | Error e) { // also when memory is short: half a message may be out
            doorbell.end(e);
            LOG.error("a message to {} could not be encoded; closing the connection", doorbell.peer(), e);
        }
    }

    /** Sends what has been encoded, as far as there is room. The namenode rings when there is room for the rest. */
    void flush() throws ProtocolMismatchException {
        output.flush();
        awaitRoom();
    }

    private void awaitRoom() throws ProtocolMismatchException {
        while (!sink.fallAsleep()) {
            sink.sendUnsent();
        }
    }

    /** Sends what waited for room, and takes what has come, at most some buffers. */
    void drain() throws ProtocolMismatchException {
        sink.sendUnsent();
        awaitRoom();
        for (int i = 0; i < READS_IN_A_ROW && reader.hasBytes(); i++) {
            read();
        }
        input.releaseIfEmptyAndLarge();
    }

    private void read() throws ProtocolMismatchException {
        ByteBuf buffer = input.receiveBuffer(doorbell.socket().alloc());
        boolean isRoomAwaited;
        try {
            isRoomAwaited = RingBuffers.read(reader, buffer);
        } finally {
            buffer.release();
        }
        deliver();
        if (isRoomAwaited) {
            wakeOther();
        }
    }

    private void deliver() {
        int received = 0;
        try {
            for (ByteBuffer message = next(); message != null; message = next()) {
                received++;
                receiver.onMessage(message);
            }
        } catch (CrailException e) {
            PEER_LOG.warn("{}: {}; closing the connection", doorbell.peer(), e.getMessage());
            doorbell.end(e);
        } catch (RuntimeException | Error e) {
            PEER_LOG.error("a message of {} could not be handled; closing the connection", doorbell.peer(), e);
            doorbell.end(e);
        } finally {
            count(-unanswered.answered(received));
        }
    }

    private ByteBuffer next() throws ProtocolMismatchException {
        return doorbell.hasEnded() ? null : input.next();
    }

    /** Takes all that the namenode had sent when it closed. What it might add is for nobody. */
    void takeRest() throws ProtocolMismatchException {
        long end = reader.position() + reader.available();
        while (reader.position() < end && isReady()) {
            drain();
        }
    }

    /** Drops what waits. */
    void release() {
        count(-unanswered.end());
        sink.release();
        input.release();
        output.release();
    }

    private void wakeOther() {
        isBellDue = true;
    }

    /** Whether the namenode is parked and is to be woken up now, by a thread that does not hold the lock any more. */
    boolean takeBell() {
        boolean isDue = isBellDue;
        isBellDue = false;
        return isDue;
    }

    /** Counts requests that somebody may wait for. */
    private void count(int requests) {
        if (requests != 0) {
            loop.count(requests);
        }
    }
}
