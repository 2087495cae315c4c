/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.time.Duration;

/**
 * What is to be set on a node. Immutable.
 *
 * @param owner null to keep it
 * @param group null to keep it
 * @param permission see {@link Ownership#permission}; {@link #KEEP} to keep it
 * @param modificationTimeMs milliseconds since 1970, before which they are negative; {@link #KEEP_TIME} to keep it
 * @param accessTimeMs milliseconds since 1970, before which they are negative; {@link #KEEP_TIME} to keep it
 * @param timeToLiveMs see {@link Lifetime#timeToLiveMs}; {@link #KEEP} to keep it, 0 for no limit
 * @param endsInMs when the node goes, from now on, with all that is in it; {@link #KEEP} to keep that, 0 for never
 */
public record StatusChange(
        String owner,
        String group,
        int permission,
        long modificationTimeMs,
        long accessTimeMs,
        long timeToLiveMs,
        long endsInMs) {
    /** Stands for a permission, or a time of the node's life, that stays as it is. */
    public static final int KEEP = -1;

    /** Stands for a time that stays as it is: no time that anybody has. */
    public static final long KEEP_TIME = Long.MIN_VALUE;

    /** Keeps the node's lifetime. */
    public StatusChange(String owner, String group, int permission, long modificationTimeMs, long accessTimeMs) {
        this(owner, group, permission, modificationTimeMs, accessTimeMs, KEEP, KEEP);
    }

    /** Sets owner and group; null keeps one. */
    public static StatusChange ofOwner(String owner, String group) {
        return new StatusChange(owner, group, KEEP, KEEP_TIME, KEEP_TIME);
    }

    /** Sets the permission. */
    public static StatusChange ofPermission(int permission) {
        return new StatusChange(null, null, permission, KEEP_TIME, KEEP_TIME);
    }

    /** Sets the times; {@link #KEEP_TIME} keeps one. */
    public static StatusChange ofTimes(long modificationTimeMs, long accessTimeMs) {
        return new StatusChange(null, null, KEEP, modificationTimeMs, accessTimeMs);
    }

    /**
     * Sets how long a file or key-value lives, from now and from each later close on, or what is created in a container
     * from now on.
     *
     * @param timeToLive zero for no limit
     */
    public static StatusChange ofTimeToLive(Duration timeToLive) {
        return new StatusChange(null, null, KEEP, KEEP_TIME, KEEP_TIME, millis(timeToLive), KEEP);
    }

    /**
     * Sets when a node goes, with all that is in it.
     *
     * @param remaining from now on; zero for never
     */
    public static StatusChange ofEnd(Duration remaining) {
        return new StatusChange(null, null, KEEP, KEEP_TIME, KEEP_TIME, KEEP, millis(remaining));
    }

    /** At least 1 ms for what is more than nothing. */
    private static long millis(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("a time of " + duration + " is over; zero stands for no limit");
        }
        long mostMs = Lifetime.MOST_MS;
        boolean isTooLong = duration.compareTo(Duration.ofMillis(mostMs)) > 0;
        long ms = isTooLong ? mostMs : duration.toMillis();
        return ms == 0 && !duration.isZero() ? 1 : ms;
    }
}
