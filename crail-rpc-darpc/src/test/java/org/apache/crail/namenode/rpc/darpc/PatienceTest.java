/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
    private long nowNs = 1_000_000_000;

    /** How long one goes on polling when nothing comes. */
    private long idleNs(Patience patience) {
        long beginNs = nowNs;
        while (patience.pollAgain(nowNs)) {
            nowNs += 500;
        }
        patience.waited();
        return nowNs - beginNs;
    }

    @Test
    void shouldWaitSoonWhenPollingDoesNotPay() {
        Patience patience = new Patience(false);
        for (int i = 0; i < 20; i++) {
            assertThat(idleNs(patience)).isLessThanOrEqualTo(1_000);
        }
    }

    @Test
    void shouldPollLongerWhenThatPaysButNeverLong() {
        Patience patience = new Patience(false);
        for (int i = 0; i < 100; i++) {
            patience.pollAgain(nowNs);
            patience.found();
        }
        assertThat(idleNs(patience)).isEqualTo(50_000);
        assertThat(idleNs(patience)).as("after it did not pay").isEqualTo(25_000);
    }

    @Test
    void shouldPollForTenMillisecondsWhenToldTo() {
        Patience patience = new Patience(true);
        assertThat(idleNs(patience)).isEqualTo(10_000_000);
        assertThat(idleNs(patience)).isEqualTo(10_000_000);
    }
}
