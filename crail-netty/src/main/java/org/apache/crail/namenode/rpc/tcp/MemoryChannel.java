/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.PolledInput;
import org.apache.crail.netty.SharedEventLoop;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection to a namenode on this host, through memory that both map. Any thread sends and takes what has
 * come, one at a time, under a lock. A thread that finds the lock taken goes on, as the one that holds it does its
 * work, too. While no thread polls, the namenode rings the {@link Doorbell}, and the event loop's thread polls. Thread
 * safe.
 */
final class MemoryChannel extends ChannelInboundHandlerAdapter implements RpcChannel, PolledInput {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryChannel.class);
    private static final int QUEUE_CHUNK = 256;

    /** How long an unhurried message waits for another one, and an answer for which nobody polls. */
    private static final long UNHURRIED_MS = 1;

    private final BriefLock lock = new BriefLock();
    private final Doorbell doorbell;
    private final MemoryMessages messages;
    private final Receiver receiver;
    private final SharedEventLoop loop;
    private final Pollers pollers;
    private final Queue<Encodable> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final Queue<Runnable> ends = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK); // for the event loop's own thread
    private final AtomicBoolean checkPlanned = new AtomicBoolean();

    /** Makes a connection through memory that both ends have marked, as a handler of the socket. */
    MemoryChannel(EpollDomainSocketChannel socket, MessageMemory memory, Receiver receiver) {
        this.doorbell = new Doorbell(socket);
        this.messages = new MemoryMessages(doorbell, memory, receiver);
        this.receiver = receiver;
        this.loop = SharedEventLoop.of(socket.eventLoop());
        this.pollers = new Pollers(messages.reader());
    }

    @Override
    public void send(Encodable message) {
        queue.offer(message);
        loop.onRequest(false);
        boolean ignored = work();
        if (!pollers.areNone()) {
            checkLater(); // they may have no processor
        } else if (messages.hurriedCount() > 0) {
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
     * Sends what is queued and takes what has come. While another thread holds the lock that is left to it, as it looks
     * once more when it has let go. Returns whether this thread held it.
     */
    private boolean work() {
        boolean hasWorked = false;
        boolean hasTaken;
        do {
            hasTaken = false;
            while (hasWork() && lock.tryLock()) {
                hasWorked = true;
                hasTaken |= workLocked();
            }
        } while (hasTaken && needsBell() && !messages.askForBell());
        if (hasWorked && !ends.isEmpty()) {
            doorbell.execute(this::runEnds);
        }
        return hasWorked;
    }

    private boolean hasWork() {
        return !queue.isEmpty() || messages.isReady();
    }

    /** Returns whether anything has been taken. */
    private boolean workLocked() {
        boolean hasTaken = false;
        try {
            for (Encodable message = queue.poll(); message != null; message = queue.poll()) {
                messages.add(message);
            }
            messages.flush();
            hasTaken = messages.isReady();
            if (hasTaken) {
                messages.drain();
            }
        } catch (ProtocolMismatchException
                | RuntimeException
                | Error e) { // calls must not wait for what may not have left
            fail(e);
        } finally {
            unlock();
        }
        return hasTaken;
    }

    /** Lets go of the lock, and then wakes up the namenode: it may get the processor of this thread at once. */
    private void unlock() {
        boolean isBellDue = messages.takeBell();
        lock.unlock();
        if (isBellDue) {
            ring();
        }
    }

    private void ring() {
        try {
            doorbell.ring();
        } catch (IOException e) { // the namenode is gone, and may have sent before
            doorbell.execute(() -> takeRest(e));
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
        boolean isAnswered = messages.unansweredCount() == 0;
        if (!isAnswered) {
            wakeIfNobodyPolls();
            loop.claimIfIdle(); // or nobody may hear the bell
        }
        if (!doorbell.hasEnded() && (lock.isTaken() || !queue.isEmpty() || (!isAnswered && !pollers.areNone()))) {
            checkLater(); // the pollers may leave before all answers are there
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
        if (wasLast && messages.hurriedCount() > 0) {
            wakeIfNobodyPolls();
        } else if (wasLast && messages.unansweredCount() > 0) {
            checkLater();
        }
    }

    /** Lets the namenode ring for the next answer, unless a thread polls, or none is owed. */
    private void wakeIfNobodyPolls() {
        boolean goesOn = true;
        while (goesOn && needsBell()) {
            goesOn = !messages.askForBell() && work();
        }
    }

    private boolean needsBell() {
        return pollers.areNone() && messages.unansweredCount() > 0 && !doorbell.hasEnded();
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
                LOG.error("{}: a call could not be ended", peer(), e);
            }
        }
    }

    @Override
    public Channel channel() {
        return doorbell.socket();
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
        return pollers.areOthersThanLoop() || lock.isTaken() || !messages.isReady();
    }

    @Override
    public boolean wake() {
        pollers.beginOfLoop();
        return true;
    }

    @Override
    public String peer() {
        return doorbell.peer();
    }

    @Override
    public void close() {
        doorbell.execute(this::closeWhenSent);
    }

    /** What was sent before leaves before the connection ends. */
    @SuppressWarnings("ThreadPriorityCheck") // for the moment that another thread holds the lock
    private void closeWhenSent() {
        while ((!queue.isEmpty() || lock.isTaken()) && !doorbell.hasEnded()) {
            boolean ignored = work();
            Thread.yield(); // to a thread that holds the lock
        }
        fail(new ClosedHere());
    }

    /** Ends the connection; the receiver is told by the event loop. */
    @Override
    public void fail(Throwable cause) {
        doorbell.end(cause);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.pipeline().addFirst(doorbell);
        EventLoops.poll(this);
        pollers.beginOfLoop();
    }

    /** A wake-up: the event loop looks into the memory next. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object wakeUp) {
        ReferenceCountUtil.release(wakeUp);
    }

    /** The socket may fail where the namenode closed before it heard a wake-up. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        takeRest(cause);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            takeRest(new EOFException("the other end closed the connection"));
        }
    }

    /** Takes what the namenode had sent when it closed, and ends the connection. */
    private void takeRest(Throwable cause) {
        lock.lock();
        try {
            messages.takeRest();
        } catch (ProtocolMismatchException | RuntimeException | Error e) {
            fail(e);
        } finally {
            unlock();
            fail(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(new ClosedChannelException()); // by its transport, if nothing has ended it before
        EventLoops.stopPolling(this);
        release();
        runEnds();
        receiver.onClosed(doorbell.endCause() instanceof ClosedHere ? null : doorbell.endCause());
    }

    private void release() {
        lock.lock();
        try {
            messages.release();
        } finally {
            lock.unlock();
        }
    }

    /** Why a connection has ended that this end has closed. */
    private static final class ClosedHere extends IOException {
        private static final long serialVersionUID = 1;
    }
}
