/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.verbs.ExtraDevice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The device is taken away from a datanode and a client that use it. */
@Tag("rdma")
class RdmaDeviceRemovalTest {
    private static final String ADDRESS = "10.77.0.1";

    @TempDir
    private Path dataPath;

    /** An emulated device that was removed is in the way of a new one until the last process that used it has ended. */
    @Test
    @Timeout(600) // five JVMs, which start slowly in the lab
    void shouldFailTransfersWhenTheDeviceIsRemovedAndWorkWhenItIsBack() throws Exception {
        try (ExtraDevice device = ExtraDevice.make(ADDRESS)) {
            Process removal;
            try (ChildJvm client = startClient()) {
                try (ChildJvm datanode = startDatanode("before")) {
                    removal = useAndRemove(device, datanode, client);
                }
                device.dropAddress();
                writeOverAnotherDevice(client);
            }
            assertThat(removal.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(removal.exitValue()).isZero();

            device.addAddress();
            device.add();

            try (ChildJvm datanode = startDatanode("after");
                    ChildJvm client = startClient()) {
                assertThat(client.ask(datanode.read())).isEqualTo("written");
            }
        }
    }

    /** Both ends notice it, and the client, which lives on, lets go of all memory. */
    private static Process useAndRemove(ExtraDevice device, ChildJvm datanode, ChildJvm client) throws Exception {
        String place = datanode.read();
        assertThat(client.ask(place)).isEqualTo("written");
        assertThat(client.ask(ClientMain.PINNED)).isNotEqualTo("0");

        Process removal = device.beginRemoval();

        assertThat(failure(client, place)).contains("DatanodeUnreachableException");
        awaitAnswer(datanode, "alive", "false");
        awaitAnswer(client, ClientMain.PINNED, "0");
        return removal;
    }

    /** Where the removed device was there is another one now; for the client it is back. Ends the client. */
    private void writeOverAnotherDevice(ChildJvm client) throws Exception {
        try (ExtraDevice other = ExtraDevice.make(ADDRESS);
                ChildJvm user = client; // to end before the device does
                ChildJvm datanode = startDatanode(other.address())) {
            assertThat(user.ask(datanode.read())).isEqualTo("written");
            assertThat(user.ask(ClientMain.PINNED)).isNotEqualTo("0");
        }
    }

    private static ChildJvm startClient() throws Exception {
        return ChildJvm.start(List.of(), ADDRESS, ClientMain.class, "8");
    }

    private ChildJvm startDatanode(String folder) throws Exception {
        return ChildJvm.start(
                List.of(), ADDRESS, DatanodeMain.class, dataPath.resolve(folder).toString());
    }

    private static String failure(ChildJvm client, String place) throws Exception {
        String result = client.ask(place);
        while ("written".equals(result)) {
            result = client.ask(place);
        }
        return result;
    }

    /** Ended by the time limit of all tests. */
    private static void awaitAnswer(ChildJvm process, String question, String answer) throws Exception {
        while (!answer.equals(process.ask(question))) {
            Thread.onSpinWait();
        }
    }
}
