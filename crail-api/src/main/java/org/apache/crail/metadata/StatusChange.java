/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

/**
 * What is to be set on a node. Immutable.
 *
 * @param owner null to keep it
 * @param group null to keep it
 * @param permission see {@link Ownership#permission}; {@link #KEEP} to keep it
 * @param modificationTimeMs milliseconds since 1970, before which they are negative; {@link #KEEP_TIME} to keep it
 * @param accessTimeMs milliseconds since 1970, before which they are negative; {@link #KEEP_TIME} to keep it
 */
public record StatusChange(String owner, String group, int permission, long modificationTimeMs, long accessTimeMs) {
    /** Stands for a permission that stays as it is. */
    public static final int KEEP = -1;

    /** Stands for a time that stays as it is: no time that anybody has. */
    public static final long KEEP_TIME = Long.MIN_VALUE;

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
}
