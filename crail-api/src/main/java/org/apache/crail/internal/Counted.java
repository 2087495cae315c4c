/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

/** Numbers of things as text. Stateless. */
public final class Counted {
    private Counted() {}

    /** "1 node", "2 nodes"; for nouns that take an s. */
    public static String of(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
