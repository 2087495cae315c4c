/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.interleaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.Unit;
import org.pastalab.fray.core.observers.TimelineCoverageType;
import org.pastalab.fray.core.randomness.ControlledRandomProvider;
import org.pastalab.fray.core.scheduler.POSScheduler;
import org.pastalab.fray.junit.plain.FrayInTestLauncher;

/**
 * Runs scenarios again and again, each time in another order. Fray lets one thread run at a time, and chooses another
 * one where threads meet: at locks, volatile fields and atomic objects. A scenario fails when one of its threads does,
 * when it does, and when all threads wait. It must end its threads. Used by one thread.
 */
public final class Interleavings {
    /** Set by who has started this process with an instrumented JVM. */
    private static final String WORK_DIR = "fray.workDir";

    private static final String REPLAYED = System.getProperty("fray.replay");
    private static final int PERCENT = Integer.getInteger("crail.test.rounds", 100);
    private static final int MOST_SECONDS = 600;

    private Interleavings() {}

    /** What is done each time. */
    @FunctionalInterface
    public interface Scenario {
        void run() throws Exception;
    }

    /** What is done each time with what has been made for it. */
    @FunctionalInterface
    public interface Use<F> {
        void run(F fixture) throws Exception;
    }

    /** What a scenario runs with. */
    public interface Fixture {
        /** Ends its threads when the scenario has run well, and looks whether it is in order. */
        void end() throws Exception;
    }

    /** Explores a scenario with something that is made anew each time. */
    public static <F extends Fixture> void explore(int times, Callable<F> fixture, Use<F> scenario) {
        explore(times, () -> {
            F made = fixture.call();
            scenario.run(made);
            made.end();
        });
    }

    /**
     * Runs a scenario so often, or a percentage of that which {@code crail.test.rounds} says; or once, as a recording
     * in the folder that {@code fray.replay} names says.
     */
    public static void explore(int times, Scenario scenario) {
        assumeTrue(isInstrumented(), "this JVM is not instrumented; bin/verify --only fray makes one that is");
        run(scenario); // by all processors: it initialises classes, in which no thread may be held
        if (REPLAYED != null) {
            FrayInTestLauncher.INSTANCE.launchFrayReplay(() -> run(scenario), REPLAYED);
            return;
        }
        boolean isWell = false;
        try {
            exploreUnprepared(times, scenario);
            isWell = true;
        } finally {
            if (!isWell) {
                keepReport();
            }
        }
    }

    /** The next scenario begins with an empty folder. */
    private static void keepReport() {
        Path report = Path.of(System.getProperty(WORK_DIR));
        Path kept = report.resolveSibling("failed-" + UUID.randomUUID());
        try {
            Files.move(report, kept);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println("The recording is kept in " + kept);
    }

    static boolean isInstrumented() {
        return System.getProperty(WORK_DIR) != null;
    }

    /** As {@link #explore(int, Scenario)}, for scenarios that must not run otherwise. */
    static void exploreUnprepared(int times, Scenario scenario) {
        AtomicInteger runs = new AtomicInteger();
        int wanted = Math.max(1, (int) ((long) times * PERCENT / 100));
        FrayInTestLauncher.INSTANCE.launchFray(
                () -> {
                    runs.incrementAndGet();
                    run(scenario);
                },
                new POSScheduler(),
                new ControlledRandomProvider(),
                wanted,
                MOST_SECONDS,
                false,
                TimelineCoverageType.NONE,
                configuration -> Unit.INSTANCE);
        assertThat(runs).hasValue(wanted);
    }

    private static void run(Scenario scenario) {
        try {
            scenario.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
