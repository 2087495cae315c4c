/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a machine and a process must have for RDMA besides the library. Thread safe. */
final class RdmaMachine {
    private static final String EXPORTS = "java.base/sun.nio.ch";

    /** With less, not even the queues of a few connections can be had. */
    private static final long LEAST_MEMLOCK_BYTES = 1 << 20;

    private final Path root;
    private final Predicate<Path> mayUse;

    /** @param root where sys, proc and dev are */
    RdmaMachine(Path root) {
        this(root, node -> Files.isReadable(node) && Files.isWritable(node));
    }

    /** @param mayUse whether this user may read and write a file */
    RdmaMachine(Path root, Predicate<Path> mayUse) {
        this.root = root;
        this.mayUse = mayUse;
    }

    /** Why RDMA cannot be used, or null. The library has to be loaded. */
    Throwable unavailabilityCause() {
        IOException cause = exportsCause();
        if (cause == null) {
            cause = deviceCause();
        }
        if (cause == null) {
            cause = memlockCause(LEAST_MEMLOCK_BYTES);
        }
        return cause != null ? cause : connectionManagerCause();
    }

    private static IOException exportsCause() {
        boolean exported = Object.class.getModule().isExported("sun.nio.ch", RdmaEndpoint.class.getModule());
        return exported
                ? null
                : new IOException("DiSNI reads the addresses of buffers through " + EXPORTS
                        + ", which this JVM does not export; start Java with --add-exports " + EXPORTS
                        + "=ALL-UNNAMED");
    }

    /** Why no device can be opened, or null. */
    IOException deviceCause() {
        Path devices = root.resolve("sys/class/infiniband");
        if (list(devices, "*").isEmpty()) {
            return new IOException(
                    "this machine has no RDMA device (" + devices + " is empty or missing); load the driver of "
                            + "its network card, or, without such a card, a software device: modprobe rdma_rxe && rdma link add rxe0 "
                            + "type rxe netdev INTERFACE");
        }
        Path nodes = root.resolve("dev/infiniband");
        List<Path> verbs = list(nodes, "uverbs*");
        if (verbs.isEmpty()) {
            return new IOException("there is no device file " + nodes.resolve("uverbs0")
                    + "; modprobe ib_uverbs, and in a container pass " + nodes + " through");
        }
        Path manager = nodes.resolve("rdma_cm");
        if (!Files.exists(manager)) {
            return new IOException("there is no device file " + manager
                    + "; modprobe rdma_ucm, and in a container pass " + nodes + " through");
        }
        return permissionCause(verbs, manager);
    }

    private IOException permissionCause(List<Path> verbs, Path manager) {
        List<Path> refused = new ArrayList<>(verbs);
        refused.removeIf(mayUse);
        if (refused.size() < verbs.size()) {
            refused.clear();
        }
        if (!mayUse.test(manager)) {
            refused.add(manager);
        }
        return refused.isEmpty()
                ? null
                : new IOException("user " + System.getProperty("user.name") + " may not read and write " + refused
                        + "; make the files accessible to the user, for example through their group in a rule of udev");
    }

    /** Why so many bytes cannot be locked in memory, or null. */
    IOException memlockCause(long bytes) {
        long limit = MemlockLimit.ofProcess(root.resolve("proc/self"));
        return limit >= bytes
                ? null
                : new IOException("at least " + bytes
                        + " bytes of memory are to be registered for RDMA, but the limit on locked "
                        + "memory of this process is " + limit + " bytes; raise it: ulimit -l unlimited, memlock in "
                        + "/etc/security/limits.conf, or LimitMEMLOCK=infinity in the unit of systemd");
    }

    private static IOException connectionManagerCause() {
        try {
            RdmaEventChannel.createEventChannel().destroyEventChannel();
            return null;
        } catch (IOException e) {
            return new IOException("the RDMA connection manager cannot be used: " + e.getMessage(), e);
        }
    }

    private static List<Path> list(Path directory, String glob) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
            entries.forEach(found::add);
        } catch (IOException e) {
            return List.of();
        }
        return found;
    }
}
