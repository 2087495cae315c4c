/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

/**
 * When a node goes by itself. Immutable.
 *
 * @param timeToLiveMs what nodes that are created in a container inherit, and what a file or key-value has from each
 *     close on; 0 if there is no limit
 * @param remainingMs how long the node is still there, if nothing changes that; {@link #ENDLESS} if it stays
 * @param hasEnd whether that has been set as its end, at which it goes with all that is in it; else it is what is left
 *     of its time to live
 */
public record Lifetime(long timeToLiveMs, long remainingMs, boolean hasEnd) {
    /** Stands for a node that stays. */
    public static final long ENDLESS = -1;

    /** The longest time that can be set: a century. */
    public static final long MOST_MS = 36_525L * 24 * 60 * 60 * 1000;

    /** That of a node for which nobody has set a time. */
    public static final Lifetime UNLIMITED = new Lifetime(0, ENDLESS, false);
}
