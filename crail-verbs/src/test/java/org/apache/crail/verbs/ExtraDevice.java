/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One more verbs device of this machine, on a network interface of its own that leads nowhere; for tests of all modules
 * that take devices away. Needs root. Not thread safe.
 */
public final class ExtraDevice implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String networkInterface = "extra" + COUNT.incrementAndGet();
    private final String device = "rxe_" + networkInterface;
    private final String address;

    private ExtraDevice(String address) {
        this.address = address;
    }

    /** Makes a device whose interface has this IPv4 address. */
    public static ExtraDevice make(String address) throws IOException {
        ExtraDevice made = new ExtraDevice(address);
        run("ip", "link", "add", made.networkInterface, "type", "dummy");
        boolean complete = false;
        try {
            made.addAddress();
            run("ip", "link", "set", made.networkInterface, "up");
            made.add();
            complete = true;
            return made;
        } finally {
            if (!complete) {
                made.close();
            }
        }
    }

    /** What its interface was made with. */
    public String address() {
        return address;
    }

    /** Makes the device again, after its removal has ended. */
    public void add() throws IOException {
        run("rdma", "link", "add", device, "type", "rxe", "netdev", networkInterface);
    }

    /**
     * Takes the device away; the process ends when that is done, which is when no process has the device open any more.
     */
    public Process beginRemoval() throws IOException {
        return start(List.of("rdma", "link", "delete", device));
    }

    /** Takes the address from the interface, so that another device may have it. */
    public void dropAddress() throws IOException {
        run("ip", "address", "delete", address + "/24", "dev", networkInterface);
    }

    /** Gives the interface its address again. */
    public void addAddress() throws IOException {
        run("ip", "address", "add", address + "/24", "dev", networkInterface);
    }

    /** The device goes with its interface. */
    @Override
    public void close() throws IOException {
        run("ip", "link", "delete", networkInterface);
    }

    private static void run(String... command) throws IOException {
        Process process = start(List.of(command));
        int status = process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
        if (status != 0) {
            String said = new String(process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
