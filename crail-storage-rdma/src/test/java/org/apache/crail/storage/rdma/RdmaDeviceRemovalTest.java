/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device is taken away from a datanode and a client that use it. */
@Tag("rdma")
class RdmaDeviceRemovalTest {
    @TempDir
    private Path dataPath;

    /** The emulated device goes when the last process that used it has ended; its connections end at once. */
    @Test
    void shouldFailTransfersWhenTheDeviceIsRemovedAndWorkWhenItIsBack() throws Exception {
        try (ExtraDevice device = ExtraDevice.make()) {
            Process removal;
            try (ChildJvm datanode = startDatanode("before");
                    ChildJvm client = startClient()) {
                String place = datanode.read();
                assertThat(client.ask(place)).isEqualTo("written");

                removal = device.beginRemoval();

                assertThat(failure(client, place)).contains("DatanodeUnreachableException");
                while (!"false".equals(datanode.ask("alive"))) { // ended by the time limit of all tests
                    Thread.onSpinWait();
                }
            }
            assertThat(removal.waitFor(60, TimeUnit.SECONDS)).isTrue();

            device.add();

            try (ChildJvm datanode = startDatanode("after");
                    ChildJvm client = startClient()) {
                assertThat(client.ask(datanode.read())).isEqualTo("written");
            }
        }
    }

    private static ChildJvm startClient() throws Exception {
        return ChildJvm.start(List.of(), ExtraDevice.ADDRESS, ClientMain.class, "8");
    }

    private ChildJvm startDatanode(String folder) throws Exception {
        return ChildJvm.start(
                List.of(),
                ExtraDevice.ADDRESS,
                DatanodeMain.class,
                dataPath.resolve(folder).toString());
    }

    private static String failure(ChildJvm client, String place) throws Exception {
        String result = client.ask(place);
        while ("written".equals(result)) {
            result = client.ask(place);
        }
        return result;
    }
}
