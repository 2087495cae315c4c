/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import com.google.errorprone.annotations.Immutable;

/**
 * A set of hosts on which blocks are wished to lie: 0 for any, a positive number for the hosts whose name gives that
 * number. Two objects with one value are equal. Immutable.
 */
@Immutable
public class CrailLocationClass {
    /** The class of the parent. */
    public static final CrailLocationClass PARENT = new CrailLocationClass(-1);

    /** Any host. */
    public static final CrailLocationClass DEFAULT = new CrailLocationClass(0);

    private final int locationClass;

    private CrailLocationClass(int locationClass) {
        this.locationClass = locationClass;
    }

    /**
     * Returns the class with a number. Programs make such numbers from {@link String#hashCode} of a host's name, which
     * is often negative: numbers below -1 lose their sign bit, as they do in {@code CrailUtils.getLocationClass()}, so
     * that both agree and neither is taken for {@link #PARENT}.
     *
     * @param value -1 for {@link #PARENT}, 0 for {@link #DEFAULT}
     */
    public static CrailLocationClass get(int value) {
        return switch (value) {
            case -1 -> PARENT;
            case 0 -> DEFAULT;
            default -> new CrailLocationClass(value > 0 ? value : positive(value));
        };
    }

    /** The class of the hosts with a name: a positive number, made from the name's hash. */
    public static CrailLocationClass ofHost(String canonicalName) {
        return new CrailLocationClass(positive(canonicalName.hashCode()));
    }

    private static int positive(int hash) {
        return Math.max(1, hash & Integer.MAX_VALUE);
    }

    /** The number; -1 for {@link #PARENT}. */
    public int value() {
        return locationClass;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CrailLocationClass that && locationClass == that.locationClass;
    }

    @Override
    public int hashCode() {
        return locationClass;
    }

    @Override
    public String toString() {
        return Integer.toString(locationClass);
    }
}
