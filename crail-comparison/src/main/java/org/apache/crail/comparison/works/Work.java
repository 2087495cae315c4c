/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.works;

import org.apache.crail.comparison.Ability;

/**
 * Something that all systems do which can.
 *
 * @param name what it is called in tables and in JSON
 * @param unit of its figures
 * @param ability what a system must be able to do
 * @param preparation what is to be done once, before the first turn
 */
public record Work(String name, String unit, Ability ability, Preparation preparation) {
    /** Gets a system ready, outside the measured time. */
    public interface Preparation {
        /** Returns what is done in each turn. */
        Turn prepare(SystemBench bench) throws Exception;
    }

    /** Does the work for a while. */
    public interface Turn {
        /** Returns the figure of this turn, in the unit of the work. */
        double take() throws Exception;
    }
}
