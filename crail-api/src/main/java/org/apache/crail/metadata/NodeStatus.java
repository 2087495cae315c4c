/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

/**
 * All that the namenode tells of a node to those who ask for more than where its bytes are. Immutable.
 *
 * @param name the last component of its path; empty for the root
 * @param file what it is
 * @param ownership whose it is
 * @param accessTimeMs what was set as the time of the last access, in milliseconds since 1970; that of the last change
 *     if nothing was: reading a node is not recorded
 * @param lifetime when it goes by itself
 */
public record NodeStatus(String name, FileInfo file, Ownership ownership, long accessTimeMs, Lifetime lifetime) {
    /** That of a node that stays. */
    public NodeStatus(String name, FileInfo file, Ownership ownership, long accessTimeMs) {
        this(name, file, ownership, accessTimeMs, Lifetime.UNLIMITED);
    }
}
