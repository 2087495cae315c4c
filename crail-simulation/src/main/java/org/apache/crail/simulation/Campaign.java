/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.crail.simulation.checks.Promise;

/** Runs many seeds, and sums up what happened. Not thread safe; uses threads of its own. */
public final class Campaign {
    private final Set<Promise> checked;
    private final int jobs;
    private final Map<String, Long> faults = new TreeMap<>();
    private final List<Simulation.Outcome> broken = new ArrayList<>();
    private long seeds;
    private long steps;
    private long verifiedBytes;
    private long nanoseconds;

    /** Checks these promises, with so many seeds at a time. */
    public Campaign(Set<Promise> checked, int jobs) {
        this.checked = Set.copyOf(checked);
        this.jobs = jobs;
    }

    /**
     * Runs seeds, one after the other.
     *
     * @param stopsEarly whether the first that breaks a promise is the last
     */
    public void run(long from, long count, boolean stopsEarly) throws ExecutionException, InterruptedException {
        long beginNs = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<Simulation.Outcome>> outcomes = new ArrayList<>();
            for (long seed = from; seed < from + count && !(stopsEarly && !broken.isEmpty()); seed++) {
                long mine = seed;
                outcomes.add(threads.submit(() -> Simulation.run(mine, checked)));
                if (outcomes.size() > 2 * jobs) {
                    add(outcomes.remove(0).get());
                }
            }
            for (Future<Simulation.Outcome> outcome : outcomes) {
                add(outcome.get());
            }
        } finally {
            threads.shutdownNow();
            nanoseconds += System.nanoTime() - beginNs;
        }
    }

    private void add(Simulation.Outcome outcome) {
        seeds++;
        steps += outcome.steps();
        verifiedBytes += outcome.verifiedBytes();
        outcome.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
        if (outcome.breach() != null) {
            broken.add(outcome);
        }
    }

    /** The seeds that broke a promise, in order. */
    public List<Simulation.Outcome> broken() {
        return broken;
    }

    /** Bytes that were read and compared. */
    public long verifiedBytes() {
        return verifiedBytes;
    }

    /** How often each kind of fault happened. */
    public Map<String, Long> faults() {
        return faults;
    }

    /** What happened, for people. */
    public String summary() {
        return seeds + " seeds, " + steps + " steps, " + verifiedBytes + " bytes verified, " + broken.size()
                + " broken, " + nanoseconds / 1_000_000_000 + " s; faults: " + faults;
    }

    /** What went wrong with a seed, with the last lines of its history. */
    public static String story(Simulation.Outcome outcome, int lines) {
        List<String> told = outcome.history().lines();
        int first = Math.max(0, told.size() - lines);
        return "seed " + outcome.seed() + " broke a promise: "
                + outcome.breach().getMessage() + "\n" + String.join("\n", told.subList(first, told.size()))
                + "\nrepeat it: bin/simulate --seeds 1 --from " + outcome.seed();
    }
}
