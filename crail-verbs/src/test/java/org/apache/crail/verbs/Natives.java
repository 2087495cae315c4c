/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;

/** The native methods and the device as the tests use them. A test without the library is skipped. */
final class Natives {
    private static NativeDispatcher dispatcher;

    private Natives() {}

    /** DiSNI's holder of the native methods, whose constructor compares versions and sizes. */
    static synchronized NativeDispatcher dispatcher() {
        assumeBuilt();
        if (dispatcher == null) {
            try {
                var constructor = NativeDispatcher.class.getDeclaredConstructor();
                constructor.setAccessible(true);
                dispatcher = constructor.newInstance();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the native methods cannot be had", e);
            }
        }
        return dispatcher;
    }

    static void assumeBuilt() {
        Path library = Path.of(System.getProperty("java.library.path").split(":", 2)[0], "libdisni.so");
        assumeTrue(Files.exists(library), "the native library was not built: there is no " + library);
    }

    static boolean hasDevice() {
        return new RdmaMachine(Path.of("/")).deviceCause() == null;
    }

    /** An IPv4 address of a network interface that has an RDMA device. */
    static InetAddress deviceAddress() throws IOException {
        if (Simulation.isPresent()) {
            return InetAddress.getLoopbackAddress();
        }
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(Path.of("/sys/class/infiniband"))) {
            for (Path device : devices) {
                Path name = device.resolve("ports/1/gid_attrs/ndevs/0");
                NetworkInterface network =
                        NetworkInterface.getByName(Files.readString(name).trim());
                for (InetAddress address : Collections.list(network.getInetAddresses())) {
                    if (address instanceof Inet4Address) {
                        return address;
                    }
                }
            }
        }
        throw new IOException("no RDMA device has an interface with an IPv4 address");
    }

    /** Memory as DiSNI passes it: direct, in the byte order of the machine. */
    static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
