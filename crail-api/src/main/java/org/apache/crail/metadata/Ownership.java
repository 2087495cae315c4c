/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.util.Objects;

/**
 * Whose a node is. It is kept and told, and nothing is enforced. Immutable.
 *
 * @param owner the name of a user; may be empty
 * @param group the name of a group; may be empty
 * @param permission the bits of POSIX, 0 to 01777 (octal): sticky bit, then read, write and execute of owner, group and
 *     others
 */
public record Ownership(String owner, String group, int permission) {
    /** The longest name of a user or group, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 255;

    /** All bits of a permission. */
    public static final int MAX_PERMISSION = 01777;

    /** Checks for null; what a namenode accepts beyond that, it says. */
    public Ownership {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(group, "group");
    }
}
