/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * The mapping of a file that can be given back at once, and not only when it has been collected: by the arena of JDK 22
 * and later, before by the call that was meant for this until then. Both are found by reflection, as this has to
 * compile with JDK 17. Not thread safe.
 */
final class FileMapping {
    private static final int FIRST_WITH_ARENAS = 22;

    private final ByteBuffer bytes;
    private final Release release;
    private boolean released;

    private FileMapping(ByteBuffer bytes, Release release) {
        this.bytes = bytes;
        this.release = release;
    }

    private interface Release {
        void run() throws ReflectiveOperationException;
    }

    /**
     * Maps the beginning of a file, to be read and written.
     *
     * @throws IOException if that cannot be done
     */
    static FileMapping of(FileChannel file, int length) throws IOException {
        try {
            return Runtime.version().feature() >= FIRST_WITH_ARENAS ? inArena(file, length) : withCleaner(file, length);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException("a file cannot be mapped", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the JDK lacks what gives mappings back", e);
        }
    }

    /** As above, for bytes that several threads use: the garbage collector gives the memory back. */
    static ByteBuffer collected(FileChannel file, int length) throws IOException {
        return file.map(MapMode.READ_WRITE, 0, length);
    }

    private static FileMapping inArena(FileChannel file, int length) throws ReflectiveOperationException {
        Class<?> arenas = Class.forName("java.lang.foreign.Arena");
        Method map = FileChannel.class.getMethod("map", MapMode.class, long.class, long.class, arenas);
        Method asBuffer = Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer");
        Method close = arenas.getMethod("close");
        Object arena = arenas.getMethod("ofShared").invoke(null);
        boolean isMapped = false;
        try {
            Object segment = map.invoke(file, MapMode.READ_WRITE, 0L, (long) length, arena);
            isMapped = true;
            return new FileMapping((ByteBuffer) asBuffer.invoke(segment), () -> close.invoke(arena));
        } finally {
            if (!isMapped) {
                close.invoke(arena);
            }
        }
    }

    private static FileMapping withCleaner(FileChannel file, int length)
            throws IOException, ReflectiveOperationException {
        Class<?> unsafes = Class.forName("sun.misc.Unsafe");
        Field only = unsafes.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        Method clean = unsafes.getMethod("invokeCleaner", ByteBuffer.class);
        Object unsafe = only.get(null);
        ByteBuffer mapped = file.map(MapMode.READ_WRITE, 0, length);
        return new FileMapping(mapped, () -> clean.invoke(unsafe, mapped));
    }

    /** The file's bytes, in big endian order; neither they nor views of them may be touched after {@link #release}. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Gives the memory back. */
    void release() {
        if (!released) {
            released = true;
            try {
                release.run();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a mapping cannot be given back", e);
            }
        }
    }
}
