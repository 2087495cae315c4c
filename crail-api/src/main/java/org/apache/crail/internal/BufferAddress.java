/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/**
 * Tells the memory address of a direct buffer, without any JVM flag: from Java 22 on through
 * {@code java.lang.foreign.MemorySegment}, before that through {@code sun.misc.Unsafe}, which says nothing of it there.
 * Both are looked up at run time, since this is compiled for Java 17. Thread safe.
 */
public final class BufferAddress {
    private static final int FIRST_WITH_SEGMENTS = 22;
    private static final ToLongFunction<ByteBuffer> BASE = lookUp();

    private BufferAddress() {}

    /** Whether this JVM tells addresses. */
    public static boolean isAvailable() {
        return BASE != null;
    }

    /**
     * The address of byte 0 of a direct buffer, whatever its position.
     *
     * @throws UnsupportedOperationException if this JVM does not tell addresses
     */
    public static long of(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("a buffer on the heap has no address; use ByteBuffer.allocateDirect");
        }
        if (BASE == null) {
            throw new UnsupportedOperationException("this JVM, " + Runtime.version()
                    + ", tells no addresses of buffers: it has neither MemorySegment nor the module jdk.unsupported");
        }
        return BASE.applyAsLong(buffer);
    }

    private static ToLongFunction<ByteBuffer> lookUp() {
        try {
            return Runtime.version().feature() >= FIRST_WITH_SEGMENTS ? throughSegment() : throughUnsafe();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static ToLongFunction<ByteBuffer> throughSegment() throws ReflectiveOperationException {
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle ofBuffer = lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
        MethodHandle address = lookup.findVirtual(segment, "address", MethodType.methodType(long.class));
        ToLongFunction<Object> atPosition = function(MethodHandles.filterReturnValue(ofBuffer, address));
        return buffer -> atPosition.applyAsLong(buffer) - buffer.position();
    }

    private static ToLongFunction<ByteBuffer> throughUnsafe() throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field instance = type.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object unsafe = instance.get(null);
        Field address = Buffer.class.getDeclaredField("address");
        long offset = (long) type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, address);
        MethodHandle getLong = MethodHandles.publicLookup()
                .findVirtual(type, "getLong", MethodType.methodType(long.class, Object.class, long.class));
        ToLongFunction<Object> base = function(MethodHandles.insertArguments(getLong.bindTo(unsafe), 1, offset));
        return base::applyAsLong;
    }

    @SuppressWarnings("unchecked") // ToLongFunction<Object> has the one method that the handle implements
    private static ToLongFunction<Object> function(MethodHandle handle) {
        return MethodHandleProxies.asInterfaceInstance(
                ToLongFunction.class, handle.asType(MethodType.methodType(long.class, Object.class)));
    }
}
