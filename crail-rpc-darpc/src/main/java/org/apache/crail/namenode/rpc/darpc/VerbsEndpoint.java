/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.darpc.DaRPCEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.LastResort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue pair with DaRPC's buffers. Each work request carries the number that the completion loop gave the endpoint,
 * because a completion with an error tells nothing else about where it belongs.
 *
 * <p>Life: made, {@link #attach attached} to a loop, connected, ended from any side by {@link #end}, destroyed. The
 * methods of {@link PayloadLink} are thread safe, completions are handled by the loop's thread.
 */
final class VerbsEndpoint extends DaRPCEndpoint<VerbsMessage, VerbsMessage> implements PayloadLink {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsEndpoint.class);
    private static final int TICKET_BYTES = Integer.BYTES;
    private static final int CONNECTED_STATE = 4;
    private static final int RECEIVE_OPCODE = IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode();

    private final VerbsGroup verbsGroup;
    private final VerbsMessage message;
    private final Object gate = new Object();
    private final AtomicReference<End> end = new AtomicReference<>();
    private CompletionLoop loop;
    private int number;
    private LinkEvents events;
    private Runnable afterEnd;
    private volatile String peer = "(not connected)";
    private boolean destroyed;
    private boolean broken;
    private int receivedBytes;

    VerbsEndpoint(VerbsGroup group, RdmaCmId id, boolean serverSide) throws IOException {
        super(group, id, serverSide);
        this.verbsGroup = group;
        this.message = new VerbsMessage(group.getBufferSize());
    }

    /**
     * Sets where completions are handled, under which number, and who is told; before resources are allocated.
     *
     * @param ended run by the loop after the last event
     */
    void attach(CompletionLoop handler, int numberInLoop, LinkEvents owner, Runnable ended) {
        this.loop = handler;
        this.number = numberInLoop;
        this.events = owner;
        this.afterEnd = ended;
    }

    CompletionLoop loop() {
        return loop;
    }

    int number() {
        return number;
    }

    /** Takes down the other end's address, for messages. */
    void notePeer(InetSocketAddress address) {
        peer = Addresses.text(address);
    }

    @Override
    public SVCPostRecv postRecv(List<IbvRecvWR> requests) throws IOException {
        for (IbvRecvWR request : requests) {
            request.setWr_id(request.getWr_id() | tag());
        }
        return super.postRecv(requests);
    }

    @Override
    public SVCPostSend postSend(List<IbvSendWR> requests) throws IOException {
        for (IbvSendWR request : requests) {
            request.setWr_id(request.getWr_id() | tag());
        }
        return super.postSend(requests);
    }

    private long tag() {
        return (long) number << Integer.SIZE;
    }

    /** The number of the endpoint that a completion belongs to. */
    static int numberOf(IbvWC completion) {
        return (int) (completion.getWr_id() >>> Integer.SIZE);
    }

    @Override
    public boolean send(int ticket, Payload payload) throws IOException {
        synchronized (gate) {
            if (destroyed) {
                throw new IOException("the connection has ended");
            }
            return sendMessage(message.with(payload), ticket);
        }
    }

    /** Handles a completion; the loop's thread only. */
    void onCompletion(IbvWC completion) {
        if (broken) {
            return;
        }
        try {
            int status = completion.getStatus();
            if (status != WorkResult.SUCCESS) {
                throw new IOException("the connection broke: " + WorkResult.text(status));
            }
            receivedBytes = completion.getByte_len();
            if (completion.getOpcode() == RECEIVE_OPCODE && receivedBytes < TICKET_BYTES) {
                throw new ProtocolMismatchException("a message of " + receivedBytes + " bytes arrived");
            }
            dispatchCqEvent(completion);
        } catch (IOException e) {
            broken = true;
            end(e);
        } catch (RuntimeException | Error e) { // also when memory is short: the other connections go on
            broken = true;
            end(e);
            LOG.error("a message of {} could not be handled; closing the connection", peer, e);
        }
    }

    @Override
    public void dispatchReceive(ByteBuffer buffer, int ticket, int index) throws IOException {
        events.onPayload(ticket, buffer.limit(receivedBytes));
        buffer.clear();
        postRecv(index);
        events.onReceiveReady(ticket);
    }

    @Override
    public void dispatchSend(int ticket) throws IOException {
        freeSend(ticket);
        events.onSent(ticket);
    }

    @Override
    public synchronized void dispatchCmEvent(RdmaCmEvent event) throws IOException {
        try {
            onCmEvent(event);
        } catch (RuntimeException | Error e) { // out of here it would end the thread that serves all connections
            LastResort.tell(failure -> LOG.error("an event of {} could not be handled", peer, failure), e);
        }
    }

    private void onCmEvent(RdmaCmEvent event) throws IOException {
        super.dispatchCmEvent(event);
        if (event.getEvent() == CmEvents.DISCONNECTED) {
            end(new IOException("the other end closed the connection"));
        } else if (event.getEvent() == CmEvents.DEVICE_REMOVAL) {
            end(new IOException("the RDMA device has been removed"));
        }
    }

    @Override
    public void end(Throwable cause) {
        if (end.compareAndSet(null, new End(cause))) {
            disconnect();
            loop.execute(this::finish);
        }
    }

    /** Tells the other end, and makes the device complete all work requests, which wakes the loop. */
    private void disconnect() {
        synchronized (gate) {
            if (!destroyed) {
                try {
                    getIdPriv().disconnect();
                } catch (IOException e) {
                    LOG.debug("{} is not connected", peer, e);
                }
            }
        }
    }

    private void finish() {
        loop.detach(this);
        Throwable cause = end.get().cause();
        LOG.debug("connection to {} ended", peer, cause);
        events.onEnd(cause);
        afterEnd.run();
    }

    /** Whether the end has begun. */
    boolean isEnding() {
        return end.get() != null;
    }

    /** Frees queue pair, memory region and connection id, without waiting for the other end. */
    void destroy() {
        synchronized (gate) {
            destroyed = true;
        }
        try {
            if (getConnState() == CONNECTED_STATE) {
                // What the wait for this event would give: the other end may not be there any more.
                super.dispatchCmEvent(new RdmaCmEvent(CmEvents.DISCONNECTED, null, getIdPriv()));
            }
            close();
        } catch (IOException e) {
            LOG.warn("not all of the connection to {} could be freed", peer, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            verbsGroup.forget(this);
        }
    }

    /** An endpoint that failed early has no memory region. */
    @Override
    public void deregisterMemory(IbvMr region) throws IOException {
        if (region != null) {
            super.deregisterMemory(region);
        }
    }

    @Override
    public String peer() {
        return peer;
    }

    /** Why it ended; the cause is null if this end wanted it. */
    private record End(Throwable cause) {}
}
