/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.checks;

import java.util.EnumSet;
import java.util.Set;

/** What is checked. What the store does not keep yet is off, with the reason. Immutable. */
public enum Promise {
    /** A read gives the bytes that were written there, or fails. */
    OWN_BYTES(true),

    /** What a sync or a close has acknowledged is there, and nothing that nobody has written. */
    CAPACITY(true),

    /** A lookup of a key that has a value gives a whole one, old or new; a put that fails changes nothing. */
    ATOMIC_PUT(true),

    /** A put that another one has overtaken ends well. */
    LAST_PUT_WINS(true),

    /** An address has one datanode: a live one is not displaced, by none that is older, and one that was replaced ends. */
    ONE_DATANODE(true),

    /** What lost writers and closed files do not need is given back. */
    GIVEN_BACK(true),

    /** Lookups, listings and refusals tell of a tree that operations have left. */
    NAMES(true),

    /** A bag's stream has each file that is there all the time. Not kept: now and then one is left out, see seed 1492. */
    WHOLE_BAGS(true),

    /** Free, held and waiting blocks add up to those that were registered. */
    CONSERVATION(true),

    /** Each operation ends, in time. */
    ENDS(true),

    /** Failures are typed. */
    TYPED(true);

    private final boolean isKept;

    Promise(boolean isKept) {
        this.isKept = isKept;
    }

    /** Those that the store keeps. */
    public static Set<Promise> kept() {
        Set<Promise> kept = EnumSet.allOf(Promise.class);
        kept.removeIf(promise -> !promise.isKept());
        return kept;
    }

    /** Whether a breach is a failure. */
    public boolean isKept() {
        return isKept;
    }
}
