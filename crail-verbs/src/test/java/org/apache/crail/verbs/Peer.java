/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One end of a connection, made of the native methods alone: an event channel, an id, and what a connection needs.
 * Handles are public to the tests, which destroy things in any order. For one thread.
 */
final class Peer implements AutoCloseable {
    static final short TCP = 0x0106;
    static final int ADDR_RESOLVED = 0;
    static final int ROUTE_RESOLVED = 2;
    static final int CONNECT_REQUEST = 4;
    static final int ESTABLISHED = 9;
    static final int REJECTED = 8;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;
    static final int TIMEWAIT_EXIT = 15;
    static final int PATIENCE_MS = 20_000;
    static final int RESOLVE_TIMEOUT_MS = 2000;
    static final int REGION_BYTES = 64 * 1024;

    final NativeDispatcher natives = Natives.dispatcher();

    /** What is registered. */
    final ByteBuffer region = takeRegion();

    final long regionAddress = MemoryUtils.getAddress(region);

    /** Used again, so that growth of memory shows what leaks. */
    private static final Queue<ByteBuffer> REGIONS = new ConcurrentLinkedQueue<>();

    /** What passes between Java and C. */
    private final ByteBuffer scratch = Natives.memory(4096);

    private final long scratchAddress = MemoryUtils.getAddress(scratch);

    final long channel;
    long id = -1;
    long context = -1;
    long pd = -1;
    long compChannel = -1;
    long cq = -1;
    long qp = -1;
    long mr = -1;
    int lkey;
    int rkey;

    /** Of the last event. */
    long eventListener;

    long eventId;

    Peer() throws IOException {
        channel = natives._createEventChannel();
    }

    private static ByteBuffer takeRegion() {
        ByteBuffer used = REGIONS.poll();
        return used == null ? Natives.memory(REGION_BYTES) : used;
    }

    void createId() throws IOException {
        id = natives._createId(channel, TCP);
    }

    /** How long the library waits for the answer of a peer: what is set, but not less than the timeout of resolving. */
    static int connectTimeoutMs() {
        String set = System.getenv("CRAIL_VERBS_CONNECT_TIMEOUT_MS");
        return set == null ? 10_000 : Math.max(Integer.parseInt(set), RESOLVE_TIMEOUT_MS);
    }

    /** Binds a new id; port 0 takes a free one. */
    void bind(InetAddress address, int port) throws IOException {
        createId();
        natives._bindAddr(id, socketAddress(address, port));
    }

    int port() {
        assertThat(natives._getSrcAddr(id, scratchAddress)).isZero();
        return Short.toUnsignedInt(Short.reverseBytes(scratch.getShort(2)));
    }

    /** Waits for the next event other than the one that a closed connection leaves behind. */
    int nextEvent(int timeoutMs) {
        int event = natives._getCmEvent(channel, scratchAddress, scratchAddress + 8, timeoutMs);
        if (event == TIMEWAIT_EXIT) {
            return nextEvent(timeoutMs);
        }
        eventListener = scratch.getLong(0);
        eventId = scratch.getLong(8);
        return event;
    }

    void expectEvent(int event) {
        assertThat(nextEvent(PATIENCE_MS)).isEqualTo(event);
    }

    void resolve(InetAddress address, int port) throws IOException {
        createId();
        beginToResolve(address, port);
        expectEvent(ADDR_RESOLVED);
        natives._resolveRoute(id, RESOLVE_TIMEOUT_MS);
        expectEvent(ROUTE_RESOLVED);
    }

    void beginToResolve(InetAddress address, int port) throws IOException {
        natives._resolveAddr(id, 0, socketAddress(address, port), RESOLVE_TIMEOUT_MS);
    }

    /** Everything for a bound or resolved id, up to a queue pair. */
    void allocate(int depth, int inlineBytes) throws IOException {
        allocateWithoutQueuePair(2 * depth);
        qp = natives._createQP(id, pd, cq, cq, 2, depth, depth, inlineBytes);
    }

    void allocateWithoutQueuePair(int entries) throws IOException {
        context = natives._getContext(id);
        pd = natives._allocPd(context);
        compChannel = natives._createCompChannel(context);
        cq = natives._createCQ(context, compChannel, entries, 0);
        mr = natives._regMr(pd, regionAddress, REGION_BYTES, 7, scratchAddress, scratchAddress + 4, scratchAddress + 8);
        lkey = scratch.getInt(0);
        rkey = scratch.getInt(4);
    }

    void connect(int retries) throws IOException {
        natives._connect(id, retries, retries, 0, (byte) 0);
    }

    void connect() throws IOException {
        connect(7);
    }

    /** Posts one request; for a SEND the remote address and key mean nothing. */
    void send(long wrId, int opcode, int flags, int offset, int length, long remoteAddress, int remoteKey)
            throws IOException {
        writeSend(0, wrId, opcode, flags, offset, length, remoteAddress, remoteKey, true);
        natives._postSend(qp, scratchAddress);
    }

    /** Posts the same request several times in one chain, with the work-request ids 0, 1, ... */
    void sendChain(int count, int opcode, int... opcodesAfter) throws IOException {
        int[] opcodes = new int[count];
        for (int i = 0; i < count; i++) {
            opcodes[i] = i == 0 || opcodesAfter.length == 0 ? opcode : opcodesAfter[(i - 1) % opcodesAfter.length];
            writeSend(i, i, opcodes[i], 2, 0, 8, 0, 0, i == count - 1);
        }
        natives._postSend(qp, scratchAddress);
    }

    private void writeSend(
            int index, long wrId, int opcode, int flags, int offset, int length, long address, int key, boolean last) {
        int at = index * 128;
        int sge = 3072 + index * 16;
        scratch.putLong(at, wrId)
                .putLong(at + 8, last ? 0 : scratchAddress + at + 128)
                .putLong(at + 16, scratchAddress + sge)
                .putInt(at + 24, 1)
                .putInt(at + 28, opcode)
                .putInt(at + 32, flags)
                .putInt(at + 36, 0x01020304)
                .putLong(at + 40, address)
                .putInt(at + 48, key);
        writeElement(sge, offset, length);
    }

    private void writeElement(int at, int offset, int length) {
        scratch.putLong(at, regionAddress + offset).putInt(at + 8, length).putInt(at + 12, lkey);
    }

    void receive(long wrId, int offset, int length) throws IOException {
        scratch.putLong(0, wrId).putLong(8, 0).putLong(16, scratchAddress + 32).putInt(24, 1);
        writeElement(32, offset, length);
        natives._postRecv(qp, scratchAddress);
    }

    /** What a poll found: the work-request id, status and opcode of its one completion. */
    record Completion(long wrId, int status, int opcode, int bytes, int immediate) {}

    /** Polls once. */
    boolean hasCompletion() throws IOException {
        return natives._pollCQ(cq, 1, scratchAddress) > 0;
    }

    /** Polls until there is a completion. */
    Completion complete() throws IOException {
        long end = System.nanoTime() + PATIENCE_MS * 1_000_000L;
        while (natives._pollCQ(cq, 1, scratchAddress) == 0) {
            assertThat(System.nanoTime()).as("a completion in time").isLessThan(end);
            Thread.onSpinWait();
        }
        return new Completion(
                scratch.getLong(0), scratch.getInt(8), scratch.getInt(12), scratch.getInt(20), scratch.getInt(24));
    }

    private long socketAddress(InetAddress address, int port) {
        scratch.putShort(0, (short) 2).putShort(2, Short.reverseBytes((short) port));
        scratch.put(4, address.getAddress(), 0, 4);
        scratch.putLong(8, -1); // DiSNI leaves garbage here (P24)
        return scratchAddress;
    }

    /** Destroys everything that is left, in the order of DiSNI's endpoints. */
    @Override
    public void close() throws IOException {
        if (mr > 0) {
            natives._deregMr(mr);
        }
        natives._disconnect(id);
        natives._destroyQP(id);
        natives._destroyCmId(id);
        natives._destroyCompChannel(compChannel);
        natives._destroyCQ(cq);
        natives._deallocPd(pd);
        natives._destroyEventChannel(channel);
        REGIONS.add(region);
    }
}
