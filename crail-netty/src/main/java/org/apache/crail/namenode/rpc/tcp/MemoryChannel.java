/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.PeerLog;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.MessageMemory;
import org.apache.crail.netty.PolledInput;
import org.apache.crail.netty.RingReader;
import org.apache.crail.netty.RingSink;
import org.apache.crail.netty.SharedEventLoop;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection to a namenode on this host, through memory that both map. Any thread sends and takes what has come,
 * one at a time; the others go on, as the one inside does their work, too. A Unix domain socket is the doorbell: while no
 * thread polls, the namenode sends a byte over it, and the event loop's thread polls. Its end is the connection's. Thread safe.
 */
final class MemoryChannel extends ChannelInboundHandlerAdapter implements RpcChannel, PolledInput {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryChannel.class);
    private static final PeerLog PEER_LOG = new PeerLog(LOG);
    private static final int QUEUE_CHUNK = 256;
    private static final int READS_IN_A_ROW = 8;
    private static final ByteBuffer WAKE_UP = ByteBuffer.allocateDirect(1);

    /** How long an unhurried message waits for another one, and an answer for which nobody polls. */
    private static final long UNHURRIED_MS = 1;

    private final UnixChannel doorbell;
    private final String peer;
    private final Receiver receiver;
    private final SharedEventLoop loop;
    private final RingReader reader;
    private final Pollers pollers;
    private final Queue<Encodable> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean checkPlanned = new AtomicBoolean();
    private volatile Throwable endCause; // nothing is sent or taken any more

    /** Whether a thread is inside, which guards what follows. */
    private final AtomicBoolean occupied = new AtomicBoolean();

    private final RingSink sink;
    private final FrameInput input = new FrameInput();
    private final FrameOutput output;
    private final Unanswered unanswered = new Unanswered();
    private List<Runnable> sequels = new ArrayList<>();

    /** Makes a connection through memory that both ends have marked, as a handler of the socket. */
    MemoryChannel(UnixChannel doorbell, MessageMemory memory, Receiver receiver) {
        this.doorbell = doorbell;
        this.peer = SocketAddresses.peer(doorbell);
        this.receiver = receiver;
        this.loop = SharedEventLoop.of(doorbell.eventLoop());
        this.reader = memory.reader();
        this.pollers = new Pollers(reader);
        this.sink = new RingSink(doorbell, memory.writer(), this::wakeOther, this::fail, bytes -> {});
        this.output = new FrameOutput(doorbell);
        this.output.goOver(sink);
    }

    /** Rings, without the event loop, which would have to be woken for that; if the socket has ended, so does the connection. */
    private void wakeOther() {
        try {
            int ignored =
                    doorbell.fd().write(WAKE_UP, 0, 1); // nothing is written while the namenode has not read the last
        } catch (IOException e) {
            LOG.debug("{}: the namenode cannot be woken", peer, e);
        }
    }

    @Override
    public void send(Encodable message) {
        queue.offer(message);
        loop.onRequest(false);
        boolean ignored = work();
        if (unanswered.hurriedCount() > 0) {
            wakeIfNobodyPolls();
        }
    }

    @Override
    public void sendAwaited(Encodable message) {
        queue.offer(message);
        loop.onRequest(true);
        boolean ignored = work();
        checkLater();
    }

    @Override
    public void sendWithNext(Encodable message) {
        queue.offer(new Unhurried(message));
        checkLater();
    }

    /**
     * Sends what is queued and takes what has come. While another thread is inside that is left to it, as it looks once more
     * when it has left. Returns whether this thread was inside.
     */
    private boolean work() {
        boolean hasEntered = false;
        boolean hasTaken;
        do {
            hasTaken = false;
            while (hasWork() && occupied.compareAndSet(false, true)) {
                hasEntered = true;
                hasTaken |= workInside();
            }
        } while (hasTaken && needsBell() && !fallsAsleep());
        return hasEntered;
    }

    private boolean hasWork() {
        return !queue.isEmpty() || isReady();
    }

    /** Returns whether anything has been taken. */
    private boolean workInside() {
        boolean hasTaken = false;
        List<Runnable> ends;
        try {
            sendQueued();
            hasTaken = isReady();
            if (hasTaken) {
                drain();
            }
        } catch (ProtocolMismatchException
                | RuntimeException
                | Error e) { // calls must not wait for what may not have left
            fail(e);
        } finally {
            ends = takeSequels();
            occupied.set(false);
        }
        runInLoop(ends);
        return hasTaken;
    }

    private void sendQueued() {
        for (Encodable message = queue.poll(); message != null; message = queue.poll()) {
            encode(message);
        }
        output.flush();
        awaitRoom();
    }

    private void encode(Encodable message) {
        if (isOver()) {
            return;
        }
        try {
            output.add(message instanceof Unhurried unhurried ? unhurried.message() : message);
            count(unanswered.sent(!(message instanceof Unhurried)));
        } catch (CrailException | RuntimeException | Error e) { // also when memory is short: half a message may be out
            fail(e);
            LOG.error("a message to {} could not be encoded; closing the connection", peer, e);
        }
    }

    /** While something waits for room, the namenode rings when there is some. */
    private void awaitRoom() {
        while (!sink.fallAsleep()) {
            try {
                sink.sendUnsent();
            } catch (ProtocolMismatchException e) {
                fail(e);
                return;
            }
        }
    }

    /** Looks after answers for which nobody has begun to wait. */
    private void checkLater() {
        if (!checkPlanned.get() && checkPlanned.compareAndSet(false, true)) {
            Future<?> ignored = SharedTimer.after(UNHURRIED_MS, this::check);
        }
    }

    private void check() {
        checkPlanned.set(false);
        boolean ignored = work();
        if (unanswered.count() > 0) {
            wakeIfNobodyPolls();
            loop.claim(); // or nobody may hear the bell
            if (!pollers.areNone()) { // who may leave before all answers are there
                checkLater();
            }
        }
    }

    @Override
    public void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
        pollers.begin();
        boolean isHere;
        try {
            isHere = idle.await(() -> {
                boolean ignored = work();
                return hasCome.getAsBoolean();
            });
        } finally {
            stopPolling(pollers.end());
        }
        if (!isHere && !hasCome.getAsBoolean()) {
            loop.advance(hasCome, limitNs);
        }
    }

    private void stopPolling(boolean wasLast) {
        if (wasLast && unanswered.hurriedCount() > 0) {
            wakeIfNobodyPolls();
        }
    }

    /** Lets the namenode ring for the next answer, unless a thread polls, or none is owed. */
    private void wakeIfNobodyPolls() {
        boolean goesOn = true;
        while (goesOn && needsBell()) {
            goesOn = !fallsAsleep() && work();
        }
    }

    private boolean needsBell() {
        return pollers.areNone() && unanswered.count() > 0 && !isOver();
    }

    private boolean fallsAsleep() {
        try {
            return reader.fallAsleep();
        } catch (InternalError e) { // as above
            fail(e);
            return true;
        }
    }

    private void drain() throws ProtocolMismatchException {
        sink.sendUnsent();
        awaitRoom();
        for (int i = 0; i < READS_IN_A_ROW && reader.hasBytes(); i++) {
            ByteBuf buffer = input.receiveBuffer(doorbell.alloc());
            boolean isRoomAwaited;
            try {
                isRoomAwaited = reader.read(buffer);
            } finally {
                buffer.release();
            }
            deliver();
            if (isRoomAwaited) {
                wakeOther();
            }
        }
        input.releaseIfEmptyAndLarge();
    }

    private void deliver() {
        int received = 0;
        try {
            for (ByteBuffer message = next(); message != null; message = next()) {
                received++;
                receiver.onMessage(message);
            }
        } catch (CrailException e) {
            PEER_LOG.warn("{}: {}; closing the connection", peer, e.getMessage());
            fail(e);
        } catch (RuntimeException | Error e) {
            PEER_LOG.error("a message of {} could not be handled; closing the connection", peer, e);
            fail(e);
        } finally {
            count(-unanswered.answered(received));
        }
    }

    /** Counts requests that somebody may wait for. */
    private void count(int requests) {
        if (requests != 0) {
            loop.count(requests);
        }
    }

    private ByteBuffer next() throws ProtocolMismatchException {
        return isOver() ? null : input.next();
    }

    /** Whether nothing is sent or taken any more. */
    private boolean isOver() {
        return endCause != null;
    }

    @Override
    public void follow(Runnable what) {
        sequels.add(what);
    }

    private List<Runnable> takeSequels() {
        if (sequels.isEmpty()) {
            return List.of();
        }
        List<Runnable> taken = sequels;
        sequels = new ArrayList<>();
        return taken;
    }

    private void runInLoop(List<Runnable> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        if (loop.isOwnThread()) {
            tasks.forEach(Runnable::run);
        } else {
            loop.claim(); // from a thread that waits for something else
            executeUnlessShutDown(() -> tasks.forEach(Runnable::run));
        }
    }

    private void executeUnlessShutDown(Runnable task) {
        try {
            doorbell.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("{}: the transport is closed, a message is dropped, or what follows one", peer, e);
        }
    }

    @Override
    public Channel channel() {
        return doorbell;
    }

    private boolean isReady() {
        try {
            return !isOver() && (reader.hasBytes() || sink.canSendUnsent());
        } catch (InternalError e) { // the namenode has cut the file short
            fail(e);
            return false;
        }
    }

    /** Leaves it to threads that wait, so that the event loop's thread goes to sleep. */
    @Override
    public boolean takeIfReady() {
        return !pollers.areOthersThanLoop() && work();
    }

    @Override
    public boolean fallAsleep() {
        stopPolling(pollers.endOfLoop());
        return pollers.areOthersThanLoop() || !isReady();
    }

    @Override
    public boolean wake() {
        pollers.beginOfLoop();
        return true;
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        executeUnlessShutDown(this::closeWhenSent);
    }

    /** What was sent before leaves before the connection ends. */
    @SuppressWarnings("ThreadPriorityCheck") // for the moment that another thread is inside
    private void closeWhenSent() {
        while (!queue.isEmpty() && !isOver()) {
            boolean ignored = work();
            Thread.yield(); // to a thread that is inside
        }
        fail(new ClosedHere());
    }

    /** Ends the connection; the receiver is told by the event loop. */
    @Override
    public void fail(Throwable cause) {
        if (endCause == null) {
            endCause = cause;
        }
        doorbell.close();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        EventLoops.poll(this);
    }

    /** A wake-up: the event loop looks into the memory next. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object wakeUp) {
        ReferenceCountUtil.release(wakeUp);
    }

    /** The socket may fail where the namenode closed before it heard a wake-up; what it had sent is taken all the same. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean ignored = work();
        fail(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        boolean ignored = work(); // what the namenode had sent when it closed
        EventLoops.stopPolling(this);
        fail(new EOFException("the other end closed the connection"));
        release();
        receiver.onClosed(endCause instanceof ClosedHere ? null : endCause);
    }

    @SuppressWarnings("ThreadPriorityCheck") // for the moment that another thread is inside
    private void release() {
        while (!occupied.compareAndSet(false, true)) {
            Thread.yield();
        }
        try {
            count(-unanswered.end());
            sink.release();
            input.release();
            output.release();
        } finally {
            occupied.set(false);
        }
    }

    /** Why a connection has ended that this end has closed. */
    private static final class ClosedHere extends IOException {
        private static final long serialVersionUID = 1;
    }
}
