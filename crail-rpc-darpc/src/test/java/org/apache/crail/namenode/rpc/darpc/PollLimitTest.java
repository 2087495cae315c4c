/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PollLimitTest {
    private long nowNs = 1_000_000_000;

    /** How long one goes on polling when nothing comes. */
    private long idleNs(PollLimit limit) {
        long beginNs = nowNs;
        while (limit.pollAgain(nowNs)) {
            nowNs += 500;
        }
        limit.waited();
        return nowNs - beginNs;
    }

    @Test
    void shouldWaitSoonWhenPollingDoesNotPay() {
        PollLimit limit = new PollLimit(false);
        for (int i = 0; i < 20; i++) {
            assertThat(idleNs(limit)).isLessThanOrEqualTo(1_000);
        }
    }

    @Test
    void shouldPollLongerWhenThatPaysButNeverLong() {
        PollLimit limit = new PollLimit(false);
        for (int i = 0; i < 100; i++) {
            limit.pollAgain(nowNs);
            limit.found();
        }
        assertThat(idleNs(limit)).isEqualTo(50_000);
        assertThat(idleNs(limit)).as("after it did not pay").isEqualTo(25_000);
    }

    @Test
    void shouldPollForTenMillisecondsWhenToldTo() {
        PollLimit limit = new PollLimit(true);
        assertThat(idleNs(limit)).isEqualTo(10_000_000);
        assertThat(idleNs(limit)).isEqualTo(10_000_000);
    }
}
