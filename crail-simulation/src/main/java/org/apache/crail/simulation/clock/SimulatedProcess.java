/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.clock;

/**
 * A process of the simulation: what happens in it waits while it is paused, and ends with it. Confined to its
 * scheduler.
 */
public final class SimulatedProcess {
    private final String name;
    private long pausedUntilNs;
    private boolean crashed;

    SimulatedProcess(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Until when nothing happens in the process. */
    long pausedUntilNs() {
        return pausedUntilNs;
    }

    /** Stops the process, as SIGSTOP does, and lets it go on at that time. */
    public void pauseUntil(long timeNs) {
        pausedUntilNs = Math.max(pausedUntilNs, timeNs);
    }

    public boolean hasCrashed() {
        return crashed;
    }

    /** Ends the process: nothing happens in it any more. */
    public void crash() {
        crashed = true;
    }

    @Override
    public String toString() {
        return name;
    }
}
