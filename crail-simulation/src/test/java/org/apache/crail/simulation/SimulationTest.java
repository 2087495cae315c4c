/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.crail.simulation.checks.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few seeds, and what every run relies on. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SimulationTest {
    private static final Set<Promise> ALL = EnumSet.allOf(Promise.class);

    @ParameterizedTest
    @ValueSource(longs = {7, 21, 198, 852})
    void shouldRepeatTheWholeHistoryOfASeed(long seed) throws Exception {
        Simulation.Outcome once = Simulation.run(seed, ALL);
        Simulation.Outcome again = Simulation.run(seed, ALL);

        assertThat(again.history().lines()).isEqualTo(once.history().lines());
        assertThat(again.history().hash()).isEqualTo(once.history().hash());
        assertThat(again.steps()).isEqualTo(once.steps());
    }

    @Test
    void shouldMeetFaultsAndCompareBytes() throws Exception {
        Simulation.Outcome outcome = Simulation.run(1, EnumSet.noneOf(Promise.class));

        assertThat(outcome.verifiedBytes()).isPositive();
        assertThat(outcome.faults()).isNotEmpty();
    }
}
