/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.direct;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.DataNodeInfo;
import org.junit.jupiter.api.Test;

class EndpointLinkTest {
    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, new byte[] {127, 0, 0, 1}, 4420);

    private static EndpointLink<DirectTransfer> link(TransferLimits limits) {
        return new EndpointLink<>(DATANODE, "test", limits, (datanode, listener) -> null, Runnable::run);
    }

    /** A transfer that had the bad luck of another's company is worth another attempt. */
    @Test
    void shouldTellThatALocationIsToBeAskedForAgainWhenALeaseEndedAConnection() {
        assertThat(link(new TransferLimits(10_000, 1_000)).endedByLate())
                .isInstanceOf(StaleBlockException.class)
                .hasMessageContaining("ask the namenode for the location again");
    }

    @Test
    void shouldTellThatTheDatanodeDoesNotAnswerWhenTheTimeLimitEndedAConnection() {
        assertThat(link(new TransferLimits(1_000, 10_000)).endedByLate())
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("did not answer another transfer in time");
    }
}
