/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.metadata.DataNodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects to datanodes and keeps the devices through which they are reached. All methods are thread safe. */
final class Connector implements LinkConnector {
    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private static final long WATCH_PERIOD_MS = 500;

    private final RdmaClientSettings settings;
    private final RdmaCounters counters;
    private final Map<Integer, VerbsDevice> devices = new ConcurrentHashMap<>();
    private final Future<?> watch = SharedTimer.every(WATCH_PERIOD_MS, this::dropRemovedDevices);
    private boolean closed;

    Connector(RdmaClientSettings settings, RdmaCounters counters) {
        this.settings = settings;
        this.counters = counters;
    }

    @Override
    public Connection connect(InetSocketAddress address, long deadlineNs) throws IOException {
        CmChannel channel = CmChannel.open();
        RdmaCmId id = null;
        VerbsQueue queue = null;
        boolean connected = false;
        try {
            id = channel.createId();
            channel.resolve(id, address, deadlineNs);
            id.resolveRoute(CmChannel.millisecondsUntil(deadlineNs));
            channel.await(CmChannel.ROUTE_RESOLVED, "there is no route to it", deadlineNs);
            VerbsDevice device = device(id, address, deadlineNs);
            queue = new VerbsQueue(device, channel, id, settings.queueSize());
            establish(channel, id, queue, deadlineNs);
            counters.countConnection();
            connected = true;
            return new Connection(queue, device.loop());
        } finally {
            if (!connected && queue != null) {
                queue.destroy();
                queue.release();
            } else if (!connected) {
                abandon(channel, id);
            }
        }
    }

    /** DiSNI knows no other addresses than those of IPv4. */
    static InetSocketAddress addressOf(DataNodeInfo datanode) throws IOException {
        for (InetAddress address : InetAddress.getAllByName(datanode.host())) {
            if (address instanceof Inet4Address) {
                return new InetSocketAddress(address, datanode.getPort());
            }
        }
        throw new DatanodeUnreachableException("the host " + datanode.host()
                + " has no IPv4 address, and the rdma tier works over IPv4 only; let the datanode advertise one");
    }

    private static void establish(CmChannel channel, RdmaCmId id, VerbsQueue queue, long deadlineNs)
            throws IOException {
        id.connect(ConnectionParameters.create());
        int event = channel.await(CmChannel.millisecondsUntil(deadlineNs));
        if (event == CmChannel.NONE) {
            throw new IOException("it did not answer in time");
        }
        if (event != CmChannel.ESTABLISHED) {
            throw new IOException("nobody listens there, or the connection was refused (" + queue.refusal() + ")");
        }
    }

    private VerbsDevice device(RdmaCmId id, InetSocketAddress address, long deadlineNs) throws IOException {
        int key = id.getVerbs().getCmd_fd();
        synchronized (devices) {
            if (closed) {
                throw new ClosedException("the client of the rdma tier has been closed; make another store");
            }
            VerbsDevice known = devices.get(key);
            if (known == null) {
                known = open(address, deadlineNs);
                devices.put(key, known);
            }
            return known;
        }
    }

    /** Gives back what removed devices hold, so that the next connection finds the device that is there then. */
    private void dropRemovedDevices() {
        devices.forEach((key, device) -> {
            if (device.isGone() && devices.remove(key, device)) {
                LOG.warn(
                        "the RDMA device with address {} has been removed; transfers over it fail until there is a device again",
                        device.address().getHostAddress());
                BackgroundThreads.runElsewhere(
                        BackgroundThreads.executor(),
                        () -> device.close(new DatanodeUnreachableException("the RDMA device with address "
                                + device.address().getHostAddress()
                                + " has been removed; see with `rdma link` whether it is back, then try again")));
            }
        });
    }

    /** Opens the device through which an address is reached, for an id of its own. */
    private VerbsDevice open(InetSocketAddress address, long deadlineNs) throws IOException {
        CmChannel channel = CmChannel.open();
        RdmaCmId anchor = null;
        boolean opened = false;
        try {
            anchor = channel.createId();
            channel.resolve(anchor, address, deadlineNs);
            VerbsDevice device = new VerbsDevice(channel, anchor, settings, counters);
            opened = true;
            return device;
        } finally {
            if (!opened) {
                abandon(channel, anchor);
            }
        }
    }

    private static void abandon(CmChannel channel, RdmaCmId id) {
        if (id != null) {
            VerbsErrors.quietly("destroying an id", id::destroyId);
        }
        channel.close();
    }

    /** Memory regions that are registered now. */
    int registeredRegions() {
        return devices.values().stream()
                .mapToInt(device -> device.memory().size())
                .sum();
    }

    /** Ends all connections and gives the devices back. */
    void close(CrailException reason) {
        watch.cancel(false);
        Map<Integer, VerbsDevice> open;
        synchronized (devices) {
            closed = true;
            open = new HashMap<>(devices);
            devices.clear();
        }
        open.values().forEach(device -> device.close(reason));
    }
}
