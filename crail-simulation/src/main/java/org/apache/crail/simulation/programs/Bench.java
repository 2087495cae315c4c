/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.error.CrailException;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.model.Model;
import org.apache.crail.simulation.network.Network;

/**
 * What the parts of a program share: its store, the handles that it keeps, chance, and the model. Confined to one
 * program.
 */
final class Bench {
    /** The most bytes of a file that programs read or write at once. */
    static final int MOST_BYTES = 28_000;

    private static final int MOST_HANDLES = 6;

    final Scheduler scheduler;
    final Network network;
    final Settings settings;
    final Model model;
    final History history;
    final SplittableRandom random;
    final Attempts attempts;
    final List<Handle> handles = new ArrayList<>();
    CoreDataStore store;

    Bench(Scheduler scheduler, Network network, Settings settings, Model model, History history) {
        this.scheduler = scheduler;
        this.network = network;
        this.settings = settings;
        this.model = model;
        this.history = history;
        this.random = scheduler.random().split();
        this.attempts = new Attempts(history);
    }

    CrailException attempt(String what, Attempts.Action action) {
        return attempts.attempt(what, action);
    }

    long nowNs() {
        return scheduler.nanoTime();
    }

    void keep(Handle handle) {
        handles.add(handle);
        if (handles.size() > MOST_HANDLES) {
            handles.remove(random.nextInt(handles.size() - 1));
        }
    }

    /** Breaks the connection to the namenode now and then, where that is among what goes wrong. */
    void mayBreakConnection() {
        if (settings.has(Fault.BREAKS) && random.nextInt(4) == 0) {
            history.add("  the connection breaks");
            network.count("connection broken");
            network.breakAllOf(scheduler.currentProcess());
        }
    }

    /** Lets a short time pass, as programs do between operations. */
    void think() {
        scheduler.pause(1 + random.nextLong(1 + random.nextLong(settings.mostThinkMs() * 1_000_000)));
    }

    int size() {
        return switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(300);
            case 1 -> 1 + random.nextInt(2_000);
            case 2 -> 1 + random.nextInt(6_000);
            default -> 1 + random.nextInt(MOST_BYTES);
        };
    }

    <T> T await(Future<T> future) throws Exception {
        if (!future.isDone()) {
            scheduler.await(future, Long.MAX_VALUE);
        }
        return future.get();
    }
}
