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
 * A client's connection to a namenode on this host, through memory that both map. Any thread sends and takes what has
 * come, one at a time; the others go on, as the one inside does their work, too. A Unix domain socket is the doorbell:
 * while no thread polls, the namenode sends a byte over it, and the event loop's thread polls. Its end is the
 * connection's. Thread safe.
 */
final class MemoryChannel extends ChannelInboundHandlerAdapter implements RpcChannel, PolledInput {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryChannel.class);
    private static final PeerLog PEER_LOG = new PeerLog(LOG);
    private static final int QUEUE_CHUNK = 256;
    private static final int READS_IN_A_ROW = 8;

    /** How long an unhurried message waits for another one, and an answer for which nobody polls. */
    private static final long UNHURRIED_MS = 1;

    private final UnixChannel doorbell;
    private final String peer;
    private final Receiver receiver;
    private final SharedEventLoop loop;
    private final RingReader reader;
    private final Pollers pollers;
    private final Queue<Encodable> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final Queue<Runnable> ends = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK); // for the event loop's own thread
    private final AtomicBoolean checkPlanned = new AtomicBoolean();
    private volatile Throwable endCause; // nothing is sent or taken any more

    /** Whether a thread is inside, which guards what follows. */
    private final AtomicBoolean occupied = new AtomicBoolean();

    private final RingSink sink;
    private final FrameInput input = new FrameInput();
    private final FrameOutput output;
    private final Unanswered unanswered = new Unanswered();

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

    /** Rings, by who runs the event loop: the socket's number may be another one's when it has been closed. */
    private void wakeOther() {
        if (doorbell.eventLoop().inEventLoop()) {
            ring();
        } else if (!loop.runHere(this::ring)) {
            executeUnlessShutDown(this::ring);
        }
    }

    private void ring() {
        doorbell.writeAndFlush(doorbell.alloc().directBuffer(1).writeZero(1), doorbell.voidPromise());
    }

    @Override
    public void send(Encodable message) {
        queue.offer(message);
        loop.onRequest(false);
        boolean ignored = work();
        if (!pollers.areNone()) {
            checkLater(); // they may have no processor
        } else if (unanswered.hurriedCount() > 0) {
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
     * Sends what is queued and takes what has come. While another thread is inside that is left to it, as it looks once
     * more when it has left. Returns whether this thread was inside.
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
        } while (hasTaken && needsBell() && !asksForBell());
        if (hasEntered && !ends.isEmpty()) {
            executeUnlessShutDown(this::runEnds);
        }
        return hasEntered;
    }

    private boolean hasWork() {
        return !queue.isEmpty() || isReady();
    }

    /** Returns whether anything has been taken. */
    private boolean workInside() {
        boolean hasTaken = false;
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
            occupied.set(false);
        }
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
            boolean isPlanned = false;
            try {
                Future<?> ignored = SharedTimer.after(UNHURRIED_MS, this::check);
                isPlanned = true;
            } finally {
                if (!isPlanned) {
                    checkPlanned.set(false);
                }
            }
        }
    }

    private void check() {
        checkPlanned.set(false);
        boolean ignored = work();
        if (unanswered.count() > 0) {
            wakeIfNobodyPolls();
            loop.claim(); // or nobody may hear the bell
        }
        if (!isOver() && (occupied.get() || !queue.isEmpty() || (unanswered.count() > 0 && !pollers.areNone()))) {
            checkLater(); // those inside may leave before all answers are there
        }
    }

    @Override
    public void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
        boolean isHere = false;
        try {
            pollers.begin();
            isHere = idle.await(
                    () -> {
                        boolean ignored = work();
                        return hasCome.getAsBoolean();
                    },
                    limitNs);
        } catch (InternalError e) { // the namenode has cut the file short
            fail(e);
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
        } else if (wasLast && unanswered.count() > 0) {
            checkLater();
        }
    }

    /** Lets the namenode ring for the next answer, unless a thread polls, or none is owed. */
    private void wakeIfNobodyPolls() {
        boolean goesOn = true;
        while (goesOn && needsBell()) {
            goesOn = !asksForBell() && work();
        }
    }

    private boolean needsBell() {
        return pollers.areNone() && unanswered.count() > 0 && !isOver();
    }

    /** Returns whether nothing has come before. */
    private boolean asksForBell() {
        try {
            return reader.askForBell();
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
        ends.offer(what);
    }

    /** Ends calls, by the event loop's own thread: what is chained to them may take its time. */
    private void runEnds() {
        if (!loop.isOwnThread()) {
            loop.claim(); // from a thread that waits for something else
            return;
        }
        for (Runnable end = ends.poll(); end != null; end = ends.poll()) {
            try {
                end.run();
            } catch (RuntimeException | Error e) {
                LOG.error("{}: a call could not be ended", peer, e);
            }
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
        boolean hasWorked = !pollers.areOthersThanLoop() && work();
        if (!ends.isEmpty() && loop.isOwnThread()) {
            runEnds();
            return true;
        }
        return hasWorked;
    }

    @Override
    public boolean fallAsleep() {
        stopPolling(pollers.endOfLoop());
        return pollers.areOthersThanLoop() || occupied.get() || !isReady();
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
        while ((!queue.isEmpty() || occupied.get()) && !isOver()) {
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
        pollers.beginOfLoop();
    }

    /** A wake-up: the event loop looks into the memory next. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object wakeUp) {
        ReferenceCountUtil.release(wakeUp);
    }

    /**
     * The socket may fail where the namenode closed before it heard a wake-up; what it had sent is taken all the same.
     * A later task does so: a thread that rings is told of the failure at once, while it is inside.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        executeUnlessShutDown(() -> takeRest(cause));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        takeRest(new EOFException("the other end closed the connection"));
        EventLoops.stopPolling(this);
        release();
        runEnds();
        receiver.onClosed(endCause instanceof ClosedHere ? null : endCause);
    }

    /** Takes what the namenode had sent when it closed; what it might add is for nobody. */
    private void takeRest(Throwable cause) {
        enter();
        try {
            while (isReady() && reader.hasBytes()) {
                drain();
            }
        } catch (ProtocolMismatchException | RuntimeException | Error e) {
            fail(e);
        } finally {
            fail(cause);
            occupied.set(false);
        }
    }

    private void release() {
        enter();
        try {
            count(-unanswered.end());
            sink.release();
            input.release();
            output.release();
        } finally {
            occupied.set(false);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // for the moment that another thread is inside
    private void enter() {
        while (!occupied.compareAndSet(false, true)) {
            Thread.yield();
        }
    }

    /** Why a connection has ended that this end has closed. */
    private static final class ClosedHere extends IOException {
        private static final long serialVersionUID = 1;
    }
}
