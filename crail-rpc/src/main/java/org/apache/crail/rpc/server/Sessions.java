/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeBusyException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.message.HelloRequest;

/**
 * The sessions of clients that are connected, or may come back. One without a connection is forgotten after a while, or
 * earlier if memory runs short; a client that comes back to a forgotten one is told so. All methods are thread safe.
 */
final class Sessions {
    /** How long a session is kept for a client that has no connection; longer than any call lives. */
    private static final long IDLE_LIMIT_NS = TimeUnit.MINUTES.toNanos(11);

    private static final long SWEEP_PERIOD_MS = TimeUnit.SECONDS.toMillis(30);

    private final ReplyBudget budget;
    private final long idleLimitNs;
    private final long sweepPeriodMs;
    private final Map<UUID, ClientSession> all = new HashMap<>();

    /** Those without connections, the one that is so for longest first. */
    private final Map<UUID, ClientSession> idle = new LinkedHashMap<>();

    private Future<?> sweep;

    Sessions(long memoryBytes) {
        this(memoryBytes, IDLE_LIMIT_NS, SWEEP_PERIOD_MS);
    }

    Sessions(long memoryBytes, long idleLimitNs, long sweepPeriodMs) {
        this.budget = new ReplyBudget(memoryBytes);
        this.idleLimitNs = idleLimitNs;
        this.sweepPeriodMs = sweepPeriodMs;
    }

    /**
     * Opens a client's session on a connection.
     *
     * @param incarnation of this namenode
     * @throws SessionLostException if the client had a session here that is not kept any more
     * @throws NamenodeBusyException if there is no memory for a session
     */
    synchronized ClientSession open(HelloRequest hello, long incarnation) throws CrailException {
        UUID clientId = new UUID(hello.clientIdHigh(), hello.clientIdLow());
        ClientSession session = all.get(clientId);
        if (session == null) {
            if (hello.openedAt() != HelloRequest.NOWHERE && hello.openedAt() == incarnation) {
                throw new SessionLostException("the namenode keeps no session of client " + clientId
                        + " any more; whether its calls in flight were executed is not known");
            }
            makeRoom();
            if (!budget.hasRoomFor(0)) {
                throw new NamenodeBusyException("the namenode keeps " + budget.takenBytes() + " bytes for "
                        + all.size() + " clients, as much as it may; try again later,"
                        + " or raise crail.namenode.replymemory");
            }
            session = new ClientSession(clientId, HelloRequest.WINDOW_SIZE, budget);
            all.put(clientId, session);
        }
        idle.remove(clientId);
        session.connections++;
        return session;
    }

    /** A connection of a session has ended. */
    synchronized void disconnected(ClientSession session) {
        session.connections--;
        if (session.connections == 0 && all.get(session.clientId()) == session) {
            session.idleSinceNs = Surroundings.nanoTime();
            idle.put(session.clientId(), session);
            makeRoom();
            sweepLater();
        }
    }

    /** The client says that it will not come back. */
    synchronized void end(ClientSession session) {
        if (all.remove(session.clientId(), session)) {
            idle.remove(session.clientId());
            session.end();
        }
    }

    synchronized int size() {
        return all.size();
    }

    /** To be called before a request is executed whose answer is to be kept. Not while a session's monitor is held. */
    void beforeChange() {
        if (budget.isShort()) {
            makeRoom();
        }
    }

    /** Gives back what clients without connections hold, while memory is short. */
    private synchronized void makeRoom() {
        Iterator<ClientSession> oldest = idle.values().iterator();
        while (budget.isShort() && oldest.hasNext()) {
            forget(oldest.next(), oldest);
        }
    }

    private synchronized void sweep() {
        sweep = null;
        long nowNs = Surroundings.nanoTime();
        Iterator<ClientSession> oldest = idle.values().iterator();
        while (oldest.hasNext()) {
            ClientSession session = oldest.next();
            if (nowNs - session.idleSinceNs <= idleLimitNs) {
                break;
            }
            forget(session, oldest);
        }
        sweepLater();
    }

    private void forget(ClientSession session, Iterator<ClientSession> place) {
        place.remove();
        all.remove(session.clientId());
        session.end();
    }

    private void sweepLater() {
        if (sweep == null && !idle.isEmpty()) {
            sweep = SharedTimer.after(sweepPeriodMs, this::sweep);
        }
    }
}
