/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.direct;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of this process that a device may use: the regions that buffers are cut from, each registered once, when one of
 * its buffers is first transferred, and kept until the region is garbage. Regions are told apart by the identity of their
 * {@link ByteBuffer}, not by their addresses, which come again when memory is freed and allocated anew: a registration
 * still means the former pages then. All methods are thread safe.
 */
public final class LocalMemory<R extends LocalMemory.Registration> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalMemory.class);
    private static final Cleaner CLEANER = Cleaner.create();

    private final Registrar<R> registrar;
    private final ConcurrentMap<Object, R> registrations = new ConcurrentHashMap<>();
    private boolean closed;

    /** Begins with no memory. */
    public LocalMemory(Registrar<R> registrar) {
        this.registrar = registrar;
    }

    /**
     * Registers memory with a device.
     *
     * @param <R> what comes of it
     */
    public interface Registrar<R> {
        /** Registers a region, which begins at {@code address}. */
        R register(ByteBuffer region, long address) throws CrailException;
    }

    /** Memory that a device may use until it is deregistered. */
    public interface Registration {
        /** Takes it from the device. */
        void deregister() throws IOException;
    }

    /**
     * What the device knows the memory of a buffer by.
     *
     * @throws InvalidRequestException if the buffer is on the heap
     * @throws CrailException if its memory cannot be registered
     */
    public R registration(CrailBuffer buffer) throws CrailException {
        ByteBuffer region = regionOf(buffer);
        R known = registrations.get(new Lookup(region));
        return known != null ? known : register(buffer, region);
    }

    /** Where the region that a buffer is cut from begins. */
    public static long addressOf(CrailBuffer buffer) throws CrailException {
        try {
            CrailBuffer region = buffer.getRegion();
            return (region == null ? buffer : region).address();
        } catch (UnsupportedOperationException e) {
            throw new InvalidRequestException("a buffer cannot be transferred by RDMA: " + e.getMessage(), e);
        }
    }

    private static ByteBuffer regionOf(CrailBuffer buffer) throws CrailException {
        CrailBuffer region = buffer.getRegion();
        ByteBuffer bytes = (region == null ? buffer : region).getByteBuffer();
        if (!bytes.isDirect()) {
            throw new InvalidRequestException("a buffer on the heap cannot be transferred by RDMA: " + buffer
                    + "; use CrailStore.allocateBuffer or ByteBuffer.allocateDirect");
        }
        return bytes;
    }

    private synchronized R register(CrailBuffer buffer, ByteBuffer region) throws CrailException {
        if (closed) {
            throw new ClosedException("the store has been closed");
        }
        R known = registrations.get(new Lookup(region));
        if (known != null) {
            return known;
        }
        R registration = registrar.register(region, addressOf(buffer));
        Key key = new Key(region);
        registrations.put(key, registration);
        CLEANER.register(region, () -> forget(key));
        return registration;
    }

    private synchronized void forget(Key key) {
        R lost = registrations.remove(key);
        if (lost != null) {
            deregister(lost);
        }
    }

    private static void deregister(Registration registration) {
        try {
            registration.deregister();
        } catch (IOException e) {
            LOG.warn("memory of a buffer could not be deregistered: {}", e.getMessage());
        }
    }

    /** How many regions are registered. */
    public int size() {
        return registrations.size();
    }

    /** Deregisters everything; no device may use it any more. */
    @Override
    public synchronized void close() {
        closed = true;
        registrations.values().forEach(LocalMemory::deregister);
        registrations.clear();
    }

    /** Stands for a region without keeping it. Equal to itself only, so that it can be removed when the region is gone. */
    private static final class Key extends WeakReference<ByteBuffer> {
        private final int hash;

        Key(ByteBuffer region) {
            super(region);
            this.hash = System.identityHashCode(region);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    /** Finds the key of a region. */
    private record Lookup(ByteBuffer region) {
        @Override
        public int hashCode() {
            return System.identityHashCode(region);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // equal contents are not the same memory
        public boolean equals(Object other) {
            return other instanceof Key key && key.get() == region; // refersTo calls into the JVM unless compiled by C2
        }
    }
}
