/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation;

import java.util.Map;
import java.util.Set;
import org.apache.crail.error.CrailException;
import org.apache.crail.simulation.checks.Breach;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.network.Network;
import org.apache.crail.simulation.programs.Scenario;

/** Runs one seed. Confined to one thread, any number of which may run others. */
public final class Simulation {
    private Simulation() {}

    /**
     * What came of a seed.
     *
     * @param seed which
     * @param steps events that happened
     * @param verifiedBytes bytes that were read and compared
     * @param faults how often each kind of fault happened
     * @param breach what was wrong, null if nothing
     * @param history what happened
     */
    public record Outcome(
            long seed, long steps, long verifiedBytes, Map<String, Long> faults, Breach breach, History history) {}

    /** Runs a seed and checks these promises. */
    public static Outcome run(long seed, Set<Promise> checked) throws CrailException {
        Scheduler scheduler = new Scheduler(seed);
        scheduler.enter();
        Network network = new Network(scheduler);
        History history = new History(scheduler, checked);
        try {
            Scenario scenario = new Scenario(scheduler, network, history);
            scenario.run();
            return new Outcome(
                    seed, scheduler.steps(), scenario.verifiedBytes(), network.faults(), history.breach(), history);
        } finally {
            scheduler.end();
            network.close();
            Scheduler.leave();
        }
    }
}
