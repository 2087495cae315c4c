/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.apache.spark.ShuffleDependency;

/**
 * Checksums of the rows of each partition, which Spark 4.1 has for shuffles whose order of rows may differ from attempt
 * to attempt. The driver compares one of all partitions with that of an earlier attempt. Spark's class is found by its
 * name, as earlier versions lack it. Used by one task.
 */
final class RowChecksums {
    private static final String CLASS = "org.apache.spark.shuffle.checksum.RowBasedChecksum";

    /** Of a checksum, a key and a value; null before Spark 4.1. */
    private static final MethodHandle UPDATE = findUpdate();

    /** Empty where Spark wants none. */
    private final Object[] each;

    RowChecksums(ShuffleDependency<?, ?, ?> dependency) {
        this.each = UPDATE == null ? new Object[0] : (Object[]) call(dependency, "rowBasedChecksums");
    }

    private static MethodHandle findUpdate() {
        try {
            Method update = Class.forName(CLASS).getMethod("update", Object.class, Object.class);
            MethodType any = MethodType.methodType(void.class, Object.class, Object.class, Object.class);
            return MethodHandles.publicLookup().unreflect(update).asType(any);
        } catch (ClassNotFoundException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw otherVersion(e);
        }
    }

    private static Object call(Object target, String method) {
        try {
            return target.getClass().getMethod(method).invoke(target);
        } catch (ReflectiveOperationException e) {
            throw otherVersion(e);
        }
    }

    private static IllegalStateException otherVersion(Exception cause) {
        return new IllegalStateException(
                "this version of Spark has other checksums of rows; set spark.crail.shuffle.direct=false", cause);
    }

    /** A row of a partition. */
    void update(int partition, Object key, Object value) {
        if (each.length > 0) {
            try {
                UPDATE.invokeExact(each[partition], key, value);
            } catch (Throwable e) { // as a method handle declares
                throw Unchecked.unchecked(e);
            }
        }
    }

    /** One of all partitions, for the driver; 0 where Spark wants none. */
    long aggregated() {
        if (each.length == 0) {
            return 0;
        }
        try {
            Class<?> type = Class.forName(CLASS);
            return (long) type.getMethod("getAggregatedChecksumValue", type.arrayType())
                    .invoke(null, (Object) each);
        } catch (ReflectiveOperationException e) {
            throw otherVersion(e);
        }
    }
}
