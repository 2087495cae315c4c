/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second verbs device of this machine, on a network interface of its own that leads nowhere. Needs root. Not thread safe. */
final class ExtraDevice implements AutoCloseable {
    static final String ADDRESS = "10.78.0.1";

    private static final String INTERFACE = "extra1";
    private static final String DEVICE = "rxe_extra1";

    private ExtraDevice() {}

    static ExtraDevice make() throws IOException {
        run("ip", "link", "add", INTERFACE, "type", "dummy");
        run("ip", "address", "add", ADDRESS + "/24", "dev", INTERFACE);
        run("ip", "link", "set", INTERFACE, "up");
        ExtraDevice device = new ExtraDevice();
        device.add();
        return device;
    }

    void add() throws IOException {
        run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", INTERFACE);
    }

    /** Takes the device away; the process ends when that is done, which is when nobody has the device open any more. */
    Process beginRemoval() throws IOException {
        return start(List.of("rdma", "link", "delete", DEVICE));
    }

    @Override
    public void close() throws IOException {
        run("ip", "link", "delete", INTERFACE); // its device goes with it
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
