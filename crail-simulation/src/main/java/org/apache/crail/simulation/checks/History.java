/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.checks;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.simulation.clock.Scheduler;

/** What happened, line by line, and what was found wrong. Confined to its scheduler. */
public final class History {
    private static final int MOST_LINES = 20_000;

    private final Scheduler scheduler;
    private final Set<Promise> checked;
    private final List<String> lines = new ArrayList<>();
    private Breach breach;
    private long hash = 17;

    public History(Scheduler scheduler, Set<Promise> checked) {
        this.scheduler = scheduler;
        this.checked = EnumSet.copyOf(checked);
    }

    /** Something worth telling happened. */
    public void add(String what) {
        String line = String.format("%12.6f %-10s %s", scheduler.nanoTime() / 1e9, scheduler.currentProcess(), what);
        hash = 31 * hash + line.hashCode();
        if (lines.size() < MOST_LINES) {
            lines.add(line);
        }
    }

    /** A promise was broken; the first time counts. */
    public void broken(Promise promise, String how) {
        add("BROKEN " + promise + ": " + how);
        if (breach == null && checked.contains(promise)) {
            breach = new Breach(promise, how);
        }
    }

    /** The first breach; null if all promises have been kept. */
    public Breach breach() {
        return breach;
    }

    public List<String> lines() {
        return lines;
    }

    /** Equal for equal histories. */
    public long hash() {
        return hash;
    }
}
