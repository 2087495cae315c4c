/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import com.ibm.jnvmf.Controller;
import com.ibm.jnvmf.IdentifyControllerData;
import com.ibm.jnvmf.IdentifyNamespaceData;
import com.ibm.jnvmf.LbaFormat;
import com.ibm.jnvmf.Namespace;
import com.ibm.jnvmf.Nvme;
import com.ibm.jnvmf.NvmeQualifiedName;
import com.ibm.jnvmf.NvmfTransportId;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.verbs.NativeVerbs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A controller of jNVMf, enabled, and one of its namespaces. Thread safe. */
final class JnvmfController {
    /**
     * jNVMf reads this when its classes are loaded; without it, DiSNI 2.1 and Linux targets do not understand each
     * other.
     */
    private static final String LEGACY = "jnvmf.legacy";

    private static final int MAX_TRANSFER_BYTES = 8 << 20; // the length of a descriptor has three bytes
    private static final int MAX_TRANSFER_SECTORS = 1 << 15;
    /**
     * How long DiSNI waits for events at once, and so how long closing takes; jNVMf's limit of connecting is its own,
     * 10 s.
     */
    private static final long EVENT_WAIT_MS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(JnvmfController.class);
    private static final long READY_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    static {
        if (System.getProperty(LEGACY) == null) {
            System.setProperty(LEGACY, "true");
        }
        if (!NativeVerbs.mendConnects()) { // jNVMf has no means to
            LOG.warn(
                    "the native half of DiSNI is not Crail's: one lost packet will end a connection to a target, and an end"
                            + " that the target makes will not be noticed at once");
        }
    }

    private final Controller controller;
    private final Namespace namespace;
    private final String serial;
    private final int maxTransferBytes;
    private final NamespaceShape shape;

    private JnvmfController(Controller controller, Target target) throws IOException {
        this.controller = controller;
        IdentifyControllerData data = controller.getIdentifyControllerData();
        this.serial = data.getSerialNumber();
        this.namespace = find(controller.getActiveNamespaces(), target);
        this.shape = identify();
        int announced = data.getMaximumDataTransferSize().toInt();
        long most = announced > 0 ? announced : Integer.MAX_VALUE; // it overflows when there is hardly a limit
        this.maxTransferBytes =
                (int) Math.min(Math.min(most, MAX_TRANSFER_BYTES), (long) MAX_TRANSFER_SECTORS * shape.sectorBytes());
    }

    /** Connects and enables a controller; may block for longer than the limit if the target does not answer. */
    static JnvmfController connect(Target target, long timeoutMs) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        Nvme host = target.hostNqn().isEmpty() ? new Nvme() : new Nvme(new NvmeQualifiedName(target.hostNqn()));
        NvmfTransportId address = new NvmfTransportId(addressOf(target), new NvmeQualifiedName(target.nqn()));
        Controller controller = host.connect(address, EVENT_WAIT_MS, TimeUnit.MILLISECONDS, true);
        boolean done = false;
        try {
            controller.getControllerConfiguration().setEnable(true);
            controller.syncConfiguration();
            awaitReady(controller, deadlineNs);
            JnvmfController made = new JnvmfController(controller, target);
            done = true;
            return made;
        } finally {
            if (!done) {
                Quietly.run("closing a controller", controller::free);
            }
        }
    }

    /** DiSNI knows no other addresses than those of IPv4. */
    private static InetSocketAddress addressOf(Target target) throws IOException {
        for (InetAddress address : InetAddress.getAllByName(target.host())) {
            if (address instanceof Inet4Address) {
                return new InetSocketAddress(address, target.port());
            }
        }
        throw new IOException(
                "the host " + target.host() + " has no IPv4 address, and the nvmf tier works over IPv4 only");
    }

    /** jNVMf's own wait fails at once if the first look finds it not ready (P38 of the pitfalls of crail-verbs). */
    private static void awaitReady(Controller controller, long deadlineNs) throws IOException {
        while (!controller.getControllerStatus().isReady()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("its controller did not become ready in time");
            }
            LockSupport.parkNanos(READY_PAUSE_NS);
        }
    }

    private static Namespace find(List<Namespace> active, Target target) throws IOException {
        for (Namespace namespace : active) {
            if (namespace.getIdentifier().toInt() == target.namespace()) {
                return namespace;
            }
        }
        throw new IOException("it has no namespace " + target.namespace() + ", but "
                + active.stream().map(Namespace::getIdentifier).toList());
    }

    Controller controller() {
        return controller;
    }

    int namespaceId() {
        return namespace.getIdentifier().toInt();
    }

    /** The serial number of the subsystem. */
    String serial() {
        return serial;
    }

    int maxTransferBytes() {
        return maxTransferBytes;
    }

    /** The size of the namespace when it was connected to. */
    NamespaceShape shape() {
        return shape;
    }

    /** Asks for the size of the namespace. */
    synchronized NamespaceShape identify() throws IOException {
        IdentifyNamespaceData data;
        try {
            data = namespace.getIdentifyNamespaceData();
        } catch (IOException | RuntimeException e) {
            throw AdminFailure.of(e);
        }
        if (data.getNamespaceSize() == 0) {
            throw new IOException("its namespace " + namespaceId() + " has been taken away; enable it again");
        }
        LbaFormat format = data.getFormattedLbaSize();
        if (format.getMetadataSize() != 0) {
            throw new IOException("the sectors of its namespace have " + format.getMetadataSize()
                    + " bytes of metadata; format it without");
        }
        return new NamespaceShape(
                data.getNamespaceSize(), format.getLbaDataSize().toInt());
    }

    synchronized void keepAlive() throws IOException {
        try {
            controller.keepAlive();
        } catch (IOException | RuntimeException e) {
            throw AdminFailure.of(e);
        }
    }

    void close() {
        Quietly.run("closing a controller", controller::free);
    }
}
