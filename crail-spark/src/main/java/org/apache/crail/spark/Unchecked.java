/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

/** Throws checked exceptions through Scala's methods, which declare none. Stateless. */
final class Unchecked {
    private Unchecked() {}

    /** Throws {@code failure} as it is; returns nothing, so that callers can throw what this "returns". */
    static RuntimeException unchecked(Throwable failure) {
        Unchecked.<RuntimeException>raise(failure);
        throw new AssertionError("it has been thrown", failure);
    }

    @SuppressWarnings("unchecked") // that is the purpose
    private static <E extends Throwable> void raise(Throwable failure) throws E {
        throw (E) failure;
    }
}
