/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Where events of the connection manager arrive for the ids that belong to it. For one thread at a time. */
final class CmChannel {
    private static final String[] NAMES = {
        "ADDR_RESOLVED",
        "ADDR_ERROR",
        "ROUTE_RESOLVED",
        "ROUTE_ERROR",
        "CONNECT_REQUEST",
        "CONNECT_RESPONSE",
        "CONNECT_ERROR",
        "UNREACHABLE",
        "REJECTED",
        "ESTABLISHED",
        "DISCONNECTED",
        "DEVICE_REMOVAL",
        "MULTICAST_JOIN",
        "MULTICAST_ERROR",
        "ADDR_CHANGE",
        "TIMEWAIT_EXIT",
    };
    static final int NONE = -1;
    static final int ADDRESS_RESOLVED = 0;
    static final int ROUTE_RESOLVED = 2;
    static final int CONNECT_REQUEST = 4;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;

    private RdmaEventChannel channel;

    private CmChannel(RdmaEventChannel channel) {
        this.channel = channel;
    }

    static CmChannel open() throws IOException {
        RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        if (channel == null) {
            throw new IOException("no event channel of the RDMA connection manager can be had");
        }
        return new CmChannel(channel);
    }

    RdmaCmId createId() throws IOException {
        RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
        if (id == null) {
            throw new IOException("no id of the RDMA connection manager can be had");
        }
        return id;
    }

    /** Finds out through which device an address is reached, which the id belongs to from then on. */
    void resolve(RdmaCmId id, InetSocketAddress address, long deadlineNs) throws IOException {
        id.resolveAddr(null, address, millisecondsUntil(deadlineNs));
        await(ADDRESS_RESOLVED, "its address leads to no RDMA device", deadlineNs);
    }

    /** Waits for an event that must come next. */
    void await(int wanted, String otherwise, long deadlineNs) throws IOException {
        int event = await(millisecondsUntil(deadlineNs));
        if (event == NONE) {
            throw new IOException("there was no answer in time, waiting for RDMA_CM_EVENT_" + NAMES[wanted]);
        }
        if (event != wanted) {
            throw new IOException(otherwise);
        }
    }

    /** The next event, or null if there is none in time. */
    RdmaCmEvent next(int timeoutMs) throws IOException {
        RdmaCmEvent event = channel.getCmEvent(timeoutMs);
        if (event != null) {
            event.ackEvent();
        }
        return event;
    }

    /** The number of the next event, or {@link #NONE} if there is none in time. */
    int await(int timeoutMs) throws IOException {
        RdmaCmEvent event = next(timeoutMs);
        return event == null ? NONE : event.getEvent();
    }

    /** The number of the next event, or {@link #NONE} if none is there. */
    private int poll() {
        try {
            return await(0);
        } catch (IOException e) {
            return DISCONNECTED;
        }
    }

    /**
     * Whether the only id of the channel has lost its connection, or its device: the native library tells the removal
     * of a device as the end of a connection, to an id that never had one, too. Takes the events that are there.
     */
    boolean hasEnded() {
        int event = poll();
        while (event != NONE && event != DISCONNECTED && event != DEVICE_REMOVAL) {
            event = poll();
        }
        return event != NONE;
    }

    static int millisecondsUntil(long deadlineNs) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        return (int) Math.max(1, Math.min(left, Integer.MAX_VALUE));
    }

    static String name(int event) {
        return event >= 0 && event < NAMES.length ? NAMES[event] : "event " + event;
    }

    /**
     * Forgets all ids but those given. DiSNI keeps each id that ever belonged to a channel, but in the object, not in
     * the channel itself, which gets another object here.
     */
    void keepOnly(Collection<RdmaCmId> ids) throws IOException {
        NatRdmaEventChannel former = (NatRdmaEventChannel) channel;
        NatRdmaEventChannel fresh = new NatRdmaEventChannel(former.getObjId(), former.getFd());
        ids.forEach(id -> fresh.addCmId((NatCmaIdPrivate) id));
        channel = fresh;
    }

    /** To be called when all ids have been destroyed. */
    void close() {
        try {
            channel.destroyEventChannel();
        } catch (IOException e) {
            VerbsErrors.ignore("closing an event channel", e);
        }
    }
}
