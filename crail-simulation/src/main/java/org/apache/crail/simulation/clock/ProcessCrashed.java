/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.clock;

/** Ends a thread whose process has crashed; thrown wherever it would wait. Immutable. */
public final class ProcessCrashed extends Error {
    private static final long serialVersionUID = 1L;

    ProcessCrashed(SimulatedProcess process) {
        super(process + " has crashed", null, false, false);
    }
}
