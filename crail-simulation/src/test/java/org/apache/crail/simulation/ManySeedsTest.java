/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.apache.crail.simulation.checks.Promise;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The suite {@code simulation}. */
@Tag("simulation")
class ManySeedsTest {
    private static final int SEEDS = 2_000;
    private static final int LINES = 80;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldKeepItsPromisesWithEverySeed() throws Exception {
        Campaign campaign =
                new Campaign(EnumSet.allOf(Promise.class), Runtime.getRuntime().availableProcessors());

        campaign.run(1, SEEDS, true);

        System.out.println("simulation: " + campaign.summary());
        assertThat(campaign.broken().stream()
                        .map(outcome -> Campaign.story(outcome, LINES))
                        .toList())
                .isEmpty();
        assertThat(campaign.verifiedBytes()).isGreaterThan(10_000_000);
        assertThat(campaign.faults())
                .containsKeys(
                        "client crashed",
                        "client stopped",
                        "connection broken",
                        "datanode doubled",
                        "datanode restarted",
                        "message delayed",
                        "namenode restarted",
                        "node evicted",
                        "read timed out",
                        "server stopped",
                        "way cut",
                        "write timed out");
    }
}
