/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.memory.OffHeapBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of this process that a device may use: the regions that buffers are cut from, each registered once, when
 * one of its buffers is first transferred, and kept until the region is garbage. Regions are told apart by the identity
 * of their {@link ByteBuffer}, not by their addresses, which come again when memory is freed and allocated anew: a
 * registration still means the former pages then. Memory that no buffer cache keeps may come as a new buffer with each
 * transfer: it is registered for as long as transfers use it, and what was used last stays registered. All methods are
 * thread safe.
 */
public final class RegisteredMemory<R extends RegisteredMemory.Registration> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegisteredMemory.class);
    private static final Cleaner CLEANER = Cleaner.create();

    /** Of foreign memory that no transfer uses: programs often go on with the buffers that they used last. */
    private static final int MOST_IDLE = 64;

    private final Registrar<R> registrar;
    private final ConcurrentMap<Object, R> registrations = new ConcurrentHashMap<>();
    private final Map<Object, Foreign<R>> foreign = new HashMap<>();
    private final Set<Foreign<R>> idle = new LinkedHashSet<>(); // those that no transfer uses, longest first
    private boolean closed;

    /** Begins with no memory. */
    public RegisteredMemory(Registrar<R> registrar) {
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

    /** Registered memory that no buffer cache keeps. Guarded by the memory's monitor. */
    private static final class Foreign<R> {
        private final R registration;
        private final Cleaner.Cleanable end;
        private int transfers;

        Foreign(R registration, Cleaner.Cleanable end) {
            this.registration = registration;
            this.end = end;
        }
    }

    /**
     * What the device knows the memory of a transfer's buffer by, until the transfer has ended.
     *
     * @throws InvalidRequestException if the buffer is on the heap
     * @throws CrailException if its memory cannot be registered
     */
    public R registration(DirectTransfer transfer) throws CrailException {
        CrailBuffer buffer = transfer.range().buffer();
        return buffer instanceof OffHeapBuffer known && known.isKept()
                ? registration(buffer)
                : registerForeign(transfer, buffer, regionOf(buffer));
    }

    private synchronized R registerForeign(DirectTransfer transfer, CrailBuffer buffer, ByteBuffer region)
            throws CrailException {
        Foreign<R> used = foreign.get(new Lookup(region));
        if (used == null) {
            requireOpen();
            R registration = registerInTheEnd(buffer, region);
            Key key = new Key(region);
            used = new Foreign<>(registration, CLEANER.register(region, () -> forget(key)));
            foreign.put(key, used);
        }
        idle.remove(used);
        used.transfers++;
        Foreign<R> ended = used;
        transfer.atEnd(() -> leave(ended));
        return used.registration;
    }

    /** What is registered and not used may be in the way. */
    private R registerInTheEnd(CrailBuffer buffer, ByteBuffer region) throws CrailException {
        try {
            return registrar.register(region, addressOf(buffer));
        } catch (BufferExhaustedException e) {
            if (idle.isEmpty()) {
                throw e;
            }
            LOG.debug("{} registrations that are not used are given up", idle.size(), e);
            trimIdle(0);
            return registrar.register(region, addressOf(buffer));
        }
    }

    private synchronized void leave(Foreign<R> used) {
        used.transfers--;
        if (used.transfers == 0 && !closed) {
            idle.add(used);
            trimIdle(MOST_IDLE);
        }
    }

    private void trimIdle(int most) {
        while (idle.size() > most) {
            Foreign<R> longest = idle.iterator().next();
            idle.remove(longest);
            longest.end.clean(); // which forgets it
        }
    }

    /**
     * What the device knows the memory of a buffer by, for as long as its region lives.
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
        requireOpen();
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

    private void requireOpen() throws ClosedException {
        if (closed) {
            throw new ClosedException("the store has been closed");
        }
    }

    private synchronized void forget(Key key) {
        R lost = registrations.remove(key);
        Foreign<R> lostForeign = foreign.remove(key);
        if (lost != null) {
            deregister(lost);
        }
        if (lostForeign != null) {
            idle.remove(lostForeign);
            deregister(lostForeign.registration);
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
    public synchronized int size() {
        return registrations.size() + foreign.size();
    }

    /** Deregisters everything; no device may use it any more. */
    @Override
    public synchronized void close() {
        closed = true;
        registrations.values().forEach(RegisteredMemory::deregister);
        registrations.clear();
        foreign.values().forEach(known -> deregister(known.registration));
        foreign.clear();
        idle.clear();
    }

    /**
     * Stands for a region without keeping it. Equal to itself only, so that it can be removed when the region is gone.
     */
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
