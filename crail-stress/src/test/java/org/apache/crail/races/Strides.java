/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.races;

/** How many objects are raced with at a time. Stateless. */
public final class Strides {
    /** In all. */
    public static final int STATES = 256;

    static final int SIZE = 16;
    static final int COUNT = STATES / SIZE;

    private Strides() {}
}
