/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.checks;

/** What the store promises, and a simulation checks. Immutable. */
public enum Promise {
    /** A read gives the bytes that were written there, or fails. */
    OWN_BYTES,

    /** What a sync or a close has acknowledged is there, and nothing that nobody has written. */
    CAPACITY,

    /** A lookup of a key that has a value gives a whole one, old or new; a put that fails changes nothing. */
    ATOMIC_PUT,

    /** A put that another one has overtaken ends well. */
    LAST_PUT_WINS,

    /**
     * An address has one datanode: a live one is not displaced, by none that is older, and one that was replaced ends.
     */
    ONE_DATANODE,

    /** What lost writers and closed files do not need is given back. */
    GIVEN_BACK,

    /** Lookups, listings and refusals tell of a tree that operations have left. */
    NAMES,

    /** A bag's stream has each file that is there all the time. */
    WHOLE_BAGS,

    /** Free, held and waiting blocks add up to those that were registered. */
    CONSERVATION,

    /** Each operation ends, in time. */
    ENDS,

    /** Failures are typed. */
    TYPED
}
