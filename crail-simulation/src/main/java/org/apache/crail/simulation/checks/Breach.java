/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.checks;

/** A promise was broken. Immutable. */
public final class Breach extends Error {
    private static final long serialVersionUID = 1L;

    private final Promise promise;

    /** Says which and how. */
    public Breach(Promise promise, String how) {
        super(promise + ": " + how);
        this.promise = promise;
    }

    public Promise promise() {
        return promise;
    }
}
