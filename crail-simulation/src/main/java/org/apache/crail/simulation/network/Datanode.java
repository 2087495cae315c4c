/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.network;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.storage.memory.BlockFence;

/**
 * A datanode with one region on the heap and the fence of the {@code tcp} tier. Its memory begins with bytes that no
 * node holds. Confined to its scheduler.
 */
public final class Datanode {
    private static final long KEEPALIVE_MS = 1_000;

    private final Network network;
    private final SimulatedProcess process;
    private final DataNodeInfo info;
    private final int blockBytes;
    private final long incarnation;
    private final int key;
    private final byte[] memory;
    private final BlockFence fence;
    private final Map<Object, Long> connections = new HashMap<>();
    private final NamenodeConnection namenode;

    /** Starts a datanode, which registers and sends heartbeats. */
    public Datanode(
            Network network,
            SimulatedProcess process,
            int port,
            int blocks,
            int blockBytes,
            long incarnation,
            NamenodeConnection namenode) {
        this.network = network;
        this.process = process;
        this.info = new DataNodeInfo(0, 0, 0, "localhost", port);
        this.blockBytes = blockBytes;
        this.incarnation = incarnation;
        this.key = (int) (incarnation & Integer.MAX_VALUE);
        this.memory = new byte[blocks * blockBytes];
        this.fence = BlockFence.inProcess(blocks);
        this.namenode = namenode;
        SplittableRandom dirt = network.random().split();
        for (int i = 0; i < memory.length; i++) {
            memory[i] = (byte) dirt.nextInt();
        }
        network.datanodes().put(port, this);
        register();
    }

    public SimulatedProcess process() {
        return process;
    }

    public int port() {
        return info.getPort();
    }

    private void register() {
        Region region = new Region(0, 0, memory.length, key);
        namenode.call(new RegisterRequest(info, incarnation, List.of(region)))
                .whenComplete((done, failure) -> beatLater());
    }

    private void beatLater() {
        network.scheduler().after(process, KEEPALIVE_MS * 1_000_000, this::beat);
    }

    private void beat() {
        namenode.call(new HeartbeatRequest(info, incarnation)).whenComplete((done, failure) -> {
            if (failure instanceof DatanodeNotRegisteredException) {
                register();
            } else {
                beatLater();
            }
        });
    }

    /** A client's connection has been greeted: what comes on earlier ones counts no more. */
    boolean isCurrent(Object client, long connection) {
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
        if (!fence.enter(number, block.epoch())) {
            throw stale(block);
        }
        System.arraycopy(bytes, from, memory, (int) (block.getAddr() + offset + from), length);
        fence.leave(number, block.epoch());
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
