/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.nvme;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.testkit.servers.ServerPlace;

/**
 * A target of NVMe over Fabrics in this host's kernel, with a subsystem, a port of its own, and a namespace on a disk
 * in memory. A test can take parts of it away, bring them back, and change the disk. Only in the lab: needs root, the
 * modules nvmet-rdma and null_blk, and a verbs device. Used by one thread at a time.
 */
public final class NvmeTarget implements AutoCloseable {
    /** The namespace's number; not the usual 1, which is that of the lab's own target. */
    public static final int NAMESPACE = 3;

    /** Bytes of a sector unless told. */
    public static final int SECTOR = 512;

    private static final ConfigFolder NVMET = ConfigFolder.ROOT.folder("nvmet");
    private static final int FIRST_PORT = 4430; // the lab's own target is at 4420
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final int port;
    private final String nqn;
    private final ConfigFolder subsystem;
    private final ConfigFolder namespace;
    private final ConfigFolder portFolder;
    private final int sectorBytes;
    private RamDisk disk;

    private NvmeTarget(int mebibytes, int sectorBytes) throws IOException {
        int number = NUMBERS.getAndIncrement();
        this.port = FIRST_PORT + number;
        this.nqn = "nqn.2016-06.io.crail:test-" + number;
        this.subsystem = NVMET.folder("subsystems").folder(nqn);
        this.namespace = subsystem.folder("namespaces").folder(Integer.toString(NAMESPACE));
        this.portFolder = NVMET.folder("ports").folder(Integer.toString(port));
        this.sectorBytes = sectorBytes;
        this.disk = new RamDisk(mebibytes, sectorBytes);
    }

    /** A target whose namespace has so many MiB in sectors of 512 bytes. */
    public static NvmeTarget create(int mebibytes) throws IOException {
        return create(mebibytes, SECTOR);
    }

    /** A target whose namespace has so many MiB in sectors of such a size. */
    public static NvmeTarget create(int mebibytes, int sectorBytes) throws IOException {
        NvmeTarget target = new NvmeTarget(mebibytes, sectorBytes);
        boolean done = false;
        try {
            target.restore();
            done = true;
            return target;
        } finally {
            if (!done) {
                target.close();
            }
        }
    }

    /** Where the target listens. */
    public InetSocketAddress address() {
        return InetSocketAddress.createUnresolved(ServerPlace.testHost(), port);
    }

    /** The name of the subsystem. */
    public String nqn() {
        return nqn;
    }

    /** The namespace's size. */
    public int mebibytes() {
        return disk.mebibytes();
    }

    /** Read commands that the namespace's disk has served. */
    public long reads() throws IOException {
        return disk.reads();
    }

    /** Write commands that the namespace's disk has served. */
    public long writes() throws IOException {
        return disk.writes();
    }

    /** Brings back what was taken away; the disk has what it had. */
    public void restore() throws IOException {
        restoreSubsystem();
        enableNamespace();
        restorePort();
    }

    private void restoreSubsystem() throws IOException {
        if (!subsystem.isThere()) {
            subsystem.make().set("attr_allow_any_host", "1");
        }
        if (!namespace.isThere()) {
            namespace.make();
        }
    }

    private void restorePort() throws IOException {
        if (!portFolder.isThere()) {
            portFolder.make();
            portFolder.set("addr_trtype", "rdma");
            portFolder.set("addr_adrfam", "ipv4");
            portFolder.set("addr_traddr", ServerPlace.testHost());
            portFolder.set("addr_trsvcid", Integer.toString(port));
        }
        if (!portFolder.folder("subsystems").links(subsystem)) {
            portFolder.folder("subsystems").link(subsystem);
        }
    }

    private void enableNamespace() throws IOException {
        if (namespace.get("enable").equals("0")) {
            namespace.set("device_path", disk.device().toString());
            namespace.set("enable", "1");
        }
    }

    /** Takes the namespace away, while connections stay. */
    public void disableNamespace() throws IOException {
        namespace.set("enable", "0");
    }

    /** Ends all connections, and refuses new ones until {@link #restore}. */
    public void disconnect() throws IOException {
        portFolder.folder("subsystems").unlink(subsystem);
    }

    /** Ends all connections; new ones are accepted at once. */
    public void reset() throws IOException {
        disconnect();
        restorePort();
    }

    /** From now on admits connections under this name only. */
    public void admitOnly(String hostNqn) throws IOException {
        ConfigFolder host = NVMET.folder("hosts").folder(hostNqn);
        if (!host.isThere()) {
            host.make();
        }
        subsystem.set("attr_allow_any_host", "0");
        subsystem.folder("allowed_hosts").link(host);
    }

    /** Admits everybody again. */
    public void admitAll(String formerHostNqn) throws IOException {
        ConfigFolder host = NVMET.folder("hosts").folder(formerHostNqn);
        subsystem.folder("allowed_hosts").unlink(host);
        subsystem.set("attr_allow_any_host", "1");
        host.removeIfThere();
    }

    /** Takes the whole target away, without its disk. */
    public void remove() throws IOException {
        if (portFolder.isThere()) {
            disconnect();
        }
        portFolder.removeIfThere();
        if (namespace.isThere()) {
            disableNamespace();
        }
        namespace.removeIfThere();
        subsystem.removeIfThere();
    }

    /** Gives the namespace another size, and as much of its contents as there is room for; it is gone for a moment. */
    public void resize(int mebibytes) throws IOException {
        RamDisk former = disk;
        disableNamespace();
        disk = new RamDisk(mebibytes, sectorBytes);
        disk.copyFrom(former);
        former.remove();
        enableNamespace();
    }

    /** Puts an empty disk in the place of the present one. */
    public void eraseDisk() throws IOException {
        RamDisk former = disk;
        disableNamespace();
        disk = new RamDisk(former.mebibytes(), sectorBytes);
        former.remove();
        enableNamespace();
    }

    /** Takes everything away for good. */
    @Override
    public void close() throws IOException {
        remove();
        disk.remove();
    }
}
