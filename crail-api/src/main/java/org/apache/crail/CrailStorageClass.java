/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import com.google.errorprone.annotations.Immutable;

/**
 * A class of storage, e.g. DRAM or flash, in order of preference: 0 is preferred to 1. Two objects with one value are
 * equal. Immutable.
 */
@Immutable
public class CrailStorageClass {
    /** The class of the parent. */
    public static final CrailStorageClass PARENT = new CrailStorageClass(-1);

    /** Class 0. */
    public static final CrailStorageClass DEFAULT = new CrailStorageClass(0);

    private final int storageClass;

    private CrailStorageClass(int storageClass) {
        this.storageClass = storageClass;
    }

    /**
     * Returns the class with a number.
     *
     * @param value 0 or more, or -1 for {@link #PARENT}
     * @throws IllegalArgumentException if it is less than -1
     */
    public static CrailStorageClass get(int value) {
        if (value < -1) {
            throw new IllegalArgumentException(
                    "storage class " + value + " does not exist; classes count from 0, and -1 is that of the parent");
        }
        return switch (value) {
            case -1 -> PARENT;
            case 0 -> DEFAULT;
            default -> new CrailStorageClass(value);
        };
    }

    /** The number; -1 for {@link #PARENT}. */
    public int value() {
        return storageClass;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CrailStorageClass that && storageClass == that.storageClass;
    }

    @Override
    public int hashCode() {
        return storageClass;
    }

    @Override
    public String toString() {
        return Integer.toString(storageClass);
    }
}
