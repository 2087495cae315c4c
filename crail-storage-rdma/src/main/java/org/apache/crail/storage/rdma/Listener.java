/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.LastResort;
import org.apache.crail.internal.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts clients and ends the connections of those that have gone: of those that say so, or whose process or host has
 * ended, at once; of those whose host does not answer any more, when the next probe fails. One thread does it all; the
 * methods are thread safe.
 */
final class Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final PeerLog FAILURES = new PeerLog(LOG);
    private static final int WAIT_MS = 200;

    /** After a failure others have the processor for so long: the next may fail, too. */
    private static final long PAUSE_MS = 10;

    private static final long PROBE_PERIOD_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int CLIENTS_UNTIL_CLEANUP = 256;
    private static final long JOIN_LIMIT_MS = 5_000;

    private final CmChannel channel;
    private final RdmaCmId id;
    private final IbvContext context;
    private final IbvPd domain;
    private final IbvCompChannel completionChannel;
    private final InetSocketAddress address;
    private final Map<RdmaCmId, AcceptedClient> clients = new ConcurrentHashMap<>();
    private final Thread thread;
    private long accepted;
    private volatile boolean stopping;
    private volatile boolean deviceGone;

    private Listener(CmChannel channel, RdmaCmId id) throws IOException {
        this.channel = channel;
        this.id = id;
        this.context = id.getVerbs();
        try (Rollback made = new Rollback()) {
            this.domain = context.allocPd();
            made.add("freeing a protection domain", domain::deallocPd);
            this.completionChannel = context.createCompChannel();
            made.add("destroying a completion channel", completionChannel::destroyCompChannel);
            this.address = (InetSocketAddress) id.getSource();
            this.thread = new Thread(this::run, "crail-rdma-server-" + address.getPort());
            thread.setDaemon(true);
            made.keep();
        }
    }

    /** Binds and listens; nothing is accepted before {@link #start}. */
    static Listener open(InetSocketAddress address, int backlog) throws ConfigurationException {
        try (Rollback made = new Rollback()) {
            CmChannel channel = CmChannel.open();
            made.add("closing an event channel", channel::close);
            RdmaCmId id = channel.createId();
            made.add("destroying an id", id::destroyId);
            id.bindAddr(address);
            id.listen(backlog);
            Listener listener = new Listener(channel, id);
            made.keep();
            return listener;
        } catch (IOException e) {
            throw bindError(address, e);
        }
    }

    private static ConfigurationException bindError(InetSocketAddress address, IOException cause) {
        String reason = VerbsErrors.text(cause);
        String fix = reason.contains("in use")
                ? "stop the process that listens there, or choose another port with -p or "
                        + RdmaTierKeys.STORAGE_PORT.name()
                : "let " + RdmaTierKeys.STORAGE_INTERFACE + " name the network interface of an RDMA device ("
                        + "`rdma link` lists them), or set crail.datanode.bind to its address";
        return new ConfigurationException(
                "the datanode cannot listen on " + address.getHostString() + ":" + address.getPort() + " by RDMA: "
                        + reason + "; " + fix,
                cause);
    }

    void start() {
        thread.start();
    }

    IbvPd domain() {
        return domain;
    }

    InetSocketAddress address() {
        return address;
    }

    boolean isAlive() {
        return !stopping && !deviceGone;
    }

    int connections() {
        return clients.size();
    }

    private void run() {
        long nextProbeNs = System.nanoTime() + PROBE_PERIOD_NS;
        while (!stopping) {
            try {
                RdmaCmEvent event = channel.next(WAIT_MS);
                if (event != null) {
                    handle(event);
                }
                if (System.nanoTime() - nextProbeNs >= 0) {
                    nextProbeNs = System.nanoTime() + PROBE_PERIOD_NS;
                    clients.values().forEach(this::probe);
                }
            } catch (Throwable e) { // the outermost loop
                LastResort.tell(
                        failure -> FAILURES.error(
                                "an event of the RDMA connection manager could not be handled at {}; others go on",
                                address,
                                failure),
                        e);
                LastResort.pause(PAUSE_MS);
            }
        }
        clients.values().forEach(this::end);
    }

    private void handle(RdmaCmEvent event) {
        RdmaCmId who = event.getConnIdPriv();
        LOG.debug("{} of {}", CmChannel.name(event.getEvent()), who);
        switch (event.getEvent()) {
            case CmChannel.CONNECT_REQUEST -> accept(who);
            case CmChannel.CONNECT_ERROR, CmChannel.UNREACHABLE, CmChannel.REJECTED, CmChannel.DISCONNECTED -> end(who);
            case CmChannel.DEVICE_REMOVAL -> onRemoval(who);
            default -> LOG.trace("{} clients are connected", clients.size());
        }
    }

    private void accept(RdmaCmId client) {
        try {
            clients.put(client, AcceptedClient.accept(client, context, domain, completionChannel));
            accepted++;
            if (accepted % CLIENTS_UNTIL_CLEANUP == 0) {
                List<RdmaCmId> live = new ArrayList<>(clients.keySet());
                live.add(id);
                channel.keepOnly(live);
            }
        } catch (IOException e) {
            LOG.warn("a client could not be accepted: {}", VerbsErrors.text(e));
        }
    }

    private void end(RdmaCmId who) {
        AcceptedClient client = who == null ? null : clients.get(who);
        if (client != null) {
            end(client);
        }
    }

    private void end(AcceptedClient client) {
        if (clients.remove(client.id()) != null) {
            client.close();
        }
    }

    private void onRemoval(RdmaCmId who) {
        if (!deviceGone) {
            deviceGone = true;
            LOG.error(
                    "the RDMA device of {} has been removed; this datanode serves nobody until it is restarted",
                    address);
        }
        end(who);
    }

    private void probe(AcceptedClient client) {
        if (!client.probe()) {
            LOG.info("a client does not answer any more; its connection is closed");
            end(client);
        }
    }

    /** Ends all connections and accepts no more; what is registered can be taken from the device afterwards. */
    void stopClients() {
        stopping = true;
        try {
            thread.join(JOIN_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clients.values().forEach(this::end); // the thread has not been started, or waiting for it was interrupted
    }

    /** Gives everything back. */
    void close() {
        stopClients();
        VerbsErrors.quietly("destroying an id", id::destroyId);
        VerbsErrors.quietly("destroying a completion channel", completionChannel::destroyCompChannel);
        VerbsErrors.quietly("freeing a protection domain", domain::deallocPd);
        channel.close();
    }
}
