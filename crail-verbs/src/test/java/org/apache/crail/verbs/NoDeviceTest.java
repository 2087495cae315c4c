/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.ibm.disni.verbs.RdmaCm;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a machine without RDMA. */
final class NoDeviceTest {
    @BeforeEach
    void requireLibraryAndNoDevice() {
        Natives.assumeBuilt();
        assumeFalse(Natives.hasDevice(), "this machine has an RDMA device");
    }

    @Test
    void shouldSayThatThereIsNoDevice() {
        assertThat(NativeVerbs.unavailabilityCause())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no RDMA device")
                .hasMessageContaining("rdma link add");
        assertThat(NativeVerbs.isAvailable()).isFalse();
    }

    @Test
    void shouldThrowWhatTheConnectionManagerSays() {
        assertThatThrownBy(() -> RdmaCm.open().createEventChannel())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rdma_create_event_channel")
                .hasMessageContaining("No such device (errno 19)");
    }
}
