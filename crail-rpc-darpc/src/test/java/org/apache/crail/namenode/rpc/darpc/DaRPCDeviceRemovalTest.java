/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.TimeUnit;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.verbs.ExtraDevice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device is taken away from both ends of a connection with calls in flight. On a machine with verbs devices. */
@Tag("rdma")
class DaRPCDeviceRemovalTest {
    /** The emulated device goes when the process that used it has ended; its connections end at once. */
    @Test
    void shouldEndConnectionsWhenTheDeviceIsRemovedAndWorkWhenItIsBack() throws Exception {
        assumeTrue(System.getenv("LAB_ADDRESS") != null, "no verbs device: LAB_ADDRESS is not set");
        try (ExtraDevice device = ExtraDevice.make("10.78.0.1")) {
            Process removal;
            try (EchoProcess pair = EchoProcess.pair(device.address())) {
                assertThat(pair.awaitReady()).isEqualTo(EchoProcess.CALLING);

                removal = device.beginRemoval();

                assertThat(pair.awaitReady()).isEqualTo(EchoProcess.ENDED_WITH_A_CAUSE);
                assertThat(pair.awaitReady()).isEqualTo(NamenodeUnreachableException.class.getSimpleName());
                assertThat(pair.awaitLogged())
                        .startsWith("WARN the RDMA device of " + device.address() + ":")
                        .contains("has been removed");
            }
            assertThat(removal.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(removal.exitValue()).isZero();

            device.add();

            try (EchoProcess pair = EchoProcess.pair(device.address())) {
                assertThat(pair.awaitReady()).isEqualTo(EchoProcess.CALLING);
                pair.kill();
            }
        }
    }
}
