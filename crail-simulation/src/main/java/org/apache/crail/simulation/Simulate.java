/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.apache.crail.simulation.checks.Promise;

/** The command behind {@code bin/simulate}, which tells its options. */
public final class Simulate {
    private static final int BROKEN = 1;
    private static final int USAGE = 2;

    private long seeds = 100;
    private long from = 1;
    private int jobs = Runtime.getRuntime().availableProcessors();
    private int lines = 60;
    private boolean goesOn;
    private boolean tellsAll;
    private Set<Promise> checked = EnumSet.allOf(Promise.class);

    private Simulate() {}

    /** Runs the command. */
    public static void main(String[] arguments) throws Exception {
        Simulate simulate = new Simulate();
        try {
            for (int i = 0; i < arguments.length; i++) {
                if (simulate.takes(arguments[i])) {
                    continue;
                }
                if (i + 1 == arguments.length) {
                    throw new IllegalArgumentException(arguments[i] + " is no option, or lacks its value");
                }
                simulate.take(arguments[i], arguments[++i]);
            }
        } catch (IllegalArgumentException e) {
            System.err.println("simulate: " + e.getMessage() + "; see bin/simulate --help");
            System.exit(USAGE);
        }
        System.exit(simulate.run() ? 0 : BROKEN);
    }

    private boolean takes(String option) {
        switch (option) {
            case "--go-on" -> goesOn = true;
            case "--history" -> tellsAll = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    private void take(String option, String value) {
        switch (option) {
            case "--seeds" -> seeds = Long.parseLong(value);
            case "--from" -> from = Long.parseLong(value);
            case "--jobs" -> jobs = Integer.parseInt(value);
            case "--lines" -> lines = Integer.parseInt(value);
            case "--promises" ->
                checked = EnumSet.copyOf((Collection<Promise>)
                        Arrays.stream(value.split(",")).map(Promise::valueOf).toList());
            default -> throw new IllegalArgumentException("there is no option " + option);
        }
    }

    private boolean run() throws Exception {
        Campaign campaign = new Campaign(checked, jobs);
        campaign.run(from, seeds, !goesOn);
        for (Simulation.Outcome outcome : campaign.broken()) {
            System.out.println(
                    "seed " + outcome.seed() + ": " + outcome.breach().getMessage());
        }
        System.out.println(campaign.summary());
        if (!campaign.broken().isEmpty()) {
            System.out.println(Campaign.story(campaign.broken().get(0), tellsAll ? Integer.MAX_VALUE : lines));
        } else if (tellsAll && seeds == 1) {
            Simulation.run(from, checked).history().lines().forEach(System.out::println);
        }
        return campaign.broken().isEmpty();
    }
}
