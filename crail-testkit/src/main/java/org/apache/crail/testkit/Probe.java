/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.storage.StorageTier;

/**
 * Sits between a store and its transports: counts what the store sends, and loses answers or cuts connections when
 * told. {@link #attach} puts it into a store's configuration. All methods are thread safe.
 */
public final class Probe {
    static final String ID_KEY = "crail.testkit.probe";
    static final String TRANSPORT_KEY = "crail.testkit.transport";
    static final String TIER_KEY = "crail.testkit.tier";
    private static final Map<String, Probe> PROBES = new ConcurrentHashMap<>();
    private static final AtomicInteger IDS = new AtomicInteger();

    private final AtomicLongArray requests = new AtomicLongArray(Operation.values().length);
    private final LongAdder looks = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder mappedTransfers = new LongAdder();
    private final LongAdder straightBytes = new LongAdder();
    private final LongAdder copiedBytes = new LongAdder();
    private final LongAdder bytesCopiedOnce = new LongAdder();
    private final ConcurrentHashMap.KeySetView<ProbeTransport.Link, Boolean> links = ConcurrentHashMap.newKeySet();
    private volatile CrailBuffer watched;
    private volatile RpcTransport transport;
    private volatile StorageTier tier;
    private final LongAdder lostAnswers = new LongAdder();
    private volatile boolean losesAnswers;

    private Probe() {}

    /** Makes stores that are opened with this configuration work through a new probe. */
    public static Probe attach(CrailConfiguration configuration) throws ConfigurationException {
        String id = Integer.toString(IDS.incrementAndGet());
        Probe probe = new Probe();
        PROBES.put(id, probe);
        configuration.set(ID_KEY, id);
        configuration.set(TRANSPORT_KEY, configuration.get(CrailKeys.NAMENODE_RPC_TYPE));
        configuration.set(TIER_KEY, String.join(",", configuration.get(CrailKeys.STORAGE_TYPES)));
        configuration.set("crail.namenode.rpctype", ProbeTransport.class.getName());
        configuration.set("crail.storage.types", ProbeTier.class.getName());
        return probe;
    }

    static Probe of(CrailConfiguration configuration) {
        return PROBES.get(configuration.get(ID_KEY));
    }

    /** Requests of this operation that were handed to the transport, repeated ones counted again. */
    public long requests(Operation operation) {
        return requests.get(operation.number());
    }

    /** Requests of all operations but the opening of sessions. */
    public long requests() {
        return calls().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Requests of each operation that there were any of, but the opening of sessions. */
    public Map<Operation, Long> calls() {
        Map<Operation, Long> calls = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            if (operation != Operation.HELLO && requests(operation) > 0) {
                calls.put(operation, requests(operation));
            }
        }
        return calls;
    }

    /** How often threads that wait for an answer of the namenode have looked for it themselves. */
    public long looks() {
        return looks.sum();
    }

    /** Transfers from datanodes. */
    public long reads() {
        return reads.sum();
    }

    /** Transfers to datanodes. */
    public long writes() {
        return writes.sum();
    }

    /** Those of the transfers whose blocks were mapped, so that they were copies by the caller. */
    public long mappedTransfers() {
        return mappedTransfers.sum();
    }

    /** Sets all counts to zero. */
    public void reset() {
        for (int i = 0; i < requests.length(); i++) {
            requests.set(i, 0);
        }
        looks.reset();
        reads.reset();
        writes.reset();
        mappedTransfers.reset();
        straightBytes.reset();
        copiedBytes.reset();
        bytesCopiedOnce.reset();
    }

    /** From now on transfers are counted by whether they go to or from the memory of this buffer. */
    public void watch(CrailBuffer buffer) {
        watched = buffer;
    }

    /** Bytes that tiers were told to move from or to the memory of the watched buffer itself. */
    public long straightBytes() {
        return straightBytes.sum();
    }

    /** Bytes that tiers were told to move from or to other memory, so that they had to be copied. */
    public long copiedBytes() {
        return copiedBytes.sum();
    }

    /** Bytes that tiers copied between blocks and the memory of callers, so that they were copied once in all. */
    public long bytesCopiedOnce() {
        return bytesCopiedOnce.sum();
    }

    /** The transport below, or null until a store has been opened. */
    public RpcTransport transport() {
        return transport;
    }

    /** The tier below, or null until a store has been opened. */
    public StorageTier tier() {
        return tier;
    }

    void uses(RpcTransport wanted) {
        transport = wanted;
    }

    void uses(StorageTier wanted) {
        tier = wanted;
    }

    /** From now on answers of the namenode are lost, or not any more. */
    public void loseAnswers(boolean lose) {
        losesAnswers = lose;
    }

    /** Answers that have been lost. */
    public long lostAnswers() {
        return lostAnswers.sum();
    }

    /** Breaks all connections to the namenode; those that are made from now on stay. */
    public void cutConnections() {
        List.copyOf(links).forEach(ProbeTransport.Link::cut);
    }

    /** Whether an answer that has arrived is lost. */
    boolean losesAnswer() {
        if (losesAnswers) {
            lostAnswers.increment();
            return true;
        }
        return false;
    }

    void onRequest(Operation operation) {
        requests.incrementAndGet(operation.number());
    }

    void onLook() {
        looks.increment();
    }

    void onRead(CrailBuffer buffer, boolean mapped) {
        reads.increment();
        onTransfer(buffer, mapped);
    }

    void onWrite(CrailBuffer buffer, boolean mapped) {
        writes.increment();
        onTransfer(buffer, mapped);
    }

    private void onTransfer(CrailBuffer buffer, boolean mapped) {
        if (mapped) {
            mappedTransfers.increment();
        }
        CrailBuffer whole = watched;
        if (whole != null) {
            long from = buffer.address() + buffer.position();
            boolean inside = from >= whole.address() && from + buffer.remaining() <= whole.address() + whole.capacity();
            (inside ? straightBytes : copiedBytes).add(buffer.remaining());
        }
    }

    void onCopy(int bytes) {
        bytesCopiedOnce.add(bytes);
    }

    void add(ProbeTransport.Link link) {
        links.add(link);
    }

    void remove(ProbeTransport.Link link) {
        links.remove(link);
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("reads=" + reads() + " writes=" + writes() + " bytesCopiedOnce=" + bytesCopiedOnce());
        for (Operation operation : Operation.values()) {
            text.append(' ').append(operation).append('=').append(requests(operation));
        }
        return text.toString();
    }
}
