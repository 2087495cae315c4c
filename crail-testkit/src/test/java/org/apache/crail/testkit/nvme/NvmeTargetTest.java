/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.nvme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.jnvmf.Controller;
import com.ibm.jnvmf.Namespace;
import com.ibm.jnvmf.Nvme;
import com.ibm.jnvmf.NvmeQualifiedName;
import com.ibm.jnvmf.NvmfTransportId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The targets that tests make are what bare jNVMf finds. */
@Tag("nvmf")
@Timeout(120)
class NvmeTargetTest {
    private static final int MEBIBYTES = 4;
    private static final int SECTORS_PER_MEBIBYTE = (1 << 20) / NvmeTarget.SECTOR;

    /** How long DiSNI waits for events at once, and so how long closing takes; connecting has its own limit. */
    private static final long EVENT_WAIT_MS = 200;

    private NvmeTarget target;

    @BeforeAll
    static void talkAsLinuxTargetsDo() {
        System.setProperty("jnvmf.legacy", "true");
    }

    @BeforeEach
    void makeTarget() throws Exception {
        target = NvmeTarget.create(MEBIBYTES);
    }

    @AfterEach
    void removeTarget() throws Exception {
        if (target != null) {
            target.close();
        }
    }

    @Test
    void shouldOfferANamespaceOfTheGivenSize() throws Exception {
        assertThat(sectors()).isEqualTo(MEBIBYTES * SECTORS_PER_MEBIBYTE);
    }

    @Test
    void shouldComeBackAfterHavingBeenTakenAway() throws Exception {
        target.remove();
        assertThatThrownBy(this::sectors).isInstanceOf(IOException.class);

        target.restore();
        target.reset();
        assertThat(sectors()).isEqualTo(MEBIBYTES * SECTORS_PER_MEBIBYTE);
    }

    @Test
    void shouldChangeItsSize() throws Exception {
        target.resize(2 * MEBIBYTES);

        assertThat(sectors()).isEqualTo(2 * MEBIBYTES * SECTORS_PER_MEBIBYTE);
    }

    private long sectors() throws Exception {
        InetSocketAddress address = new InetSocketAddress(
                target.address().getHostString(), target.address().getPort());
        Controller controller = new Nvme()
                .connect(
                        new NvmfTransportId(address, new NvmeQualifiedName(target.nqn())),
                        EVENT_WAIT_MS,
                        TimeUnit.MILLISECONDS,
                        true);
        try {
            controller.getControllerConfiguration().setEnable(true);
            controller.syncConfiguration();
            controller.waitUntilReady();
            Namespace namespace = controller.getActiveNamespaces().get(0);
            assertThat(namespace.getIdentifier().toInt()).isEqualTo(NvmeTarget.NAMESPACE);
            return namespace.getIdentifyNamespaceData().getNamespaceSize();
        } finally {
            controller.free();
        }
    }
}
