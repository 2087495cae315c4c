/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.network;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.storage.StorageServer;

/**
 * The memory of a datanode, and the way to it: one region on the heap, which begins with bytes that no node holds. It
 * has the fence of the {@code tcp} tier, or compares no epochs, as the {@code rdma} tier. The datanode around it, which
 * registers it and sends heartbeats, is the real one. Confined to its scheduler.
 */
final class Medium implements StorageServer {
    private final SimulatedProcess process;
    private final int port;
    private final int blockBytes;
    private final long incarnation;
    private final boolean comparesEpochs;
    private final int key;
    private final byte[] memory;
    private final BlockFence fence;
    private final Map<Object, Long> connections = new HashMap<>();
    private long epochLimit = Long.MAX_VALUE;
    private boolean isOffered;
    private boolean isClosed;

    Medium(
            Network network,
            SimulatedProcess process,
            int port,
            int blocks,
            int blockBytes,
            long incarnation,
            boolean comparesEpochs) {
        this.process = process;
        this.port = port;
        this.blockBytes = blockBytes;
        this.incarnation = incarnation;
        this.comparesEpochs = comparesEpochs;
        this.key = 1 + network.random().nextInt(Integer.MAX_VALUE - 1);
        this.memory = new byte[blocks * blockBytes];
        this.fence = BlockFence.inProcess(blocks);
        SplittableRandom dirt = network.random().split();
        for (int i = 0; i < memory.length; i++) {
            memory[i] = (byte) dirt.nextInt();
        }
    }

    SimulatedProcess process() {
        return process;
    }

    int port() {
        return port;
    }

    /** Whether clients reach it. */
    boolean isServing() {
        return !isClosed && !process.hasCrashed();
    }

    @Override
    public InetSocketAddress address() {
        return InetSocketAddress.createUnresolved("localhost", port);
    }

    @Override
    public Optional<Region> allocateRegion() {
        boolean isFirst = !isOffered;
        isOffered = true;
        return isFirst ? Optional.of(new Region(0, 0, memory.length, key)) : Optional.empty();
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public boolean comparesEpochs() {
        return comparesEpochs;
    }

    @Override
    public void admitEpochs(long limit) {
        epochLimit = epochLimit == Long.MAX_VALUE ? limit : Math.max(epochLimit, limit);
    }

    @Override
    public boolean isAlive() {
        return isServing();
    }

    @Override
    public void close() {
        isClosed = true;
    }

    /** Greets a client's connection, unless a later one has been; what comes on earlier ones counts no more. */
    boolean greet(Object client, long connection) {
        return connections.merge(client, connection, Math::max) == connection;
    }

    /** Admits a transfer as the tier does. */
    void admit(BlockInfo block, long offset, int length, boolean isWrite) throws CrailException {
        if (block.getLkey() != key) {
            throw new StaleBlockException(block + ": this datanode has no such region");
        }
        if (offset < block.start() || offset + length > block.getLength()) {
            throw new BlockBoundsException(
                    block + ": the range " + offset + " + " + length + " is not inside the block");
        }
        if (!comparesEpochs) {
            return;
        }
        if (block.epoch() > epochLimit) {
            throw new StaleBlockException(block + ": the highest epoch that was agreed is " + epochLimit);
        }
        int number = number(block);
        boolean isAdmitted = isWrite ? fence.admit(number, block.epoch()) : fence.raise(number, block.epoch());
        if (!isAdmitted) {
            throw stale(block);
        }
    }

    private StaleBlockException stale(BlockInfo block) {
        return new StaleBlockException(block + " has epoch " + fence.seen(number(block)) + " by now");
    }

    /** Receives a piece of a write. */
    void receive(BlockInfo block, long offset, byte[] bytes, int from, int length) throws CrailException {
        int number = number(block);
        if (comparesEpochs && !fence.enter(number, block.epoch())) {
            throw stale(block);
        }
        System.arraycopy(bytes, from, memory, (int) (block.getAddr() + offset + from), length);
        if (comparesEpochs) {
            fence.leave(number, block.epoch());
        }
    }

    /** Copies bytes of a block. */
    void send(BlockInfo block, long offset, byte[] bytes) {
        System.arraycopy(memory, (int) (block.getAddr() + offset), bytes, 0, bytes.length);
    }

    /** Whether a copy in the client's process may go on; a look before and after, as with mapped regions. */
    boolean isCurrent(BlockInfo block) {
        return fence.isCurrent(number(block), block.epoch());
    }

    /** Puts bytes into a block, unfenced. */
    void put(BlockInfo block, long offset, byte[] bytes) {
        System.arraycopy(bytes, 0, memory, (int) (block.getAddr() + offset), bytes.length);
    }

    private int number(BlockInfo block) {
        return (int) (block.getAddr() / blockBytes);
    }
}
