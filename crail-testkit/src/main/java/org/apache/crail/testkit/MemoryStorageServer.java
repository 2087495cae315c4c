/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.internal.Incarnation;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageServer;

/** The server side of the tier in memory: one region. Methods are thread safe. */
final class MemoryStorageServer implements StorageServer {
    private static final int REGION_KEY = 7;
    private final int blockSize;
    private ByteBuffer memory;
    private final long[] epochs;
    private final long incarnation = Incarnation.next();
    private InetSocketAddress address;
    private long epochLimit;
    private boolean handedOut;
    private volatile boolean alive = true;

    MemoryStorageServer(int blocks, int blockSize) {
        this.blockSize = blockSize;
        this.memory = ByteBuffer.allocate(Math.multiplyExact(blocks, blockSize));
        this.epochs = new long[blocks];
    }

    void bind(InetSocketAddress bound) {
        address = bound;
    }

    synchronized void read(ByteBuffer target, BlockInfo block, long offset) throws CrailException {
        int position = check(block, offset, target.remaining());
        target.put(memory.slice(position, target.remaining()));
    }

    synchronized void write(ByteBuffer source, BlockInfo block, long offset) throws CrailException {
        int position = check(block, offset, source.remaining());
        memory.slice(position, source.remaining()).put(source);
    }

    private int check(BlockInfo block, long offset, int length) throws CrailException {
        long position = block.getAddr() + offset;
        if (block.getLkey() != REGION_KEY
                || offset < 0
                || offset + length > block.getLength()
                || position + length > memory.capacity()) {
            throw new BlockBoundsException(length + " bytes at " + offset + " leave " + block);
        }
        int index = (int) (block.getAddr() / blockSize);
        if (block.epoch() < epochs[index]) {
            throw new StaleBlockException(block + " has been given away; its epoch is " + epochs[index] + " now");
        }
        if (block.epoch() > epochLimit) {
            throw new StaleBlockException(block + " has an epoch above all that were given, " + epochLimit);
        }
        epochs[index] = block.epoch();
        return (int) position;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public synchronized Optional<Region> allocateRegion() {
        if (handedOut) {
            return Optional.empty();
        }
        handedOut = true;
        return Optional.of(new Region(0, 0, memory.capacity(), REGION_KEY));
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public boolean comparesEpochs() {
        return true;
    }

    @Override
    public synchronized void admitEpochs(long limit) {
        epochLimit = limit;
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    @Override
    public synchronized void close() {
        alive = false;
        MemoryTier.NETWORK.unbind(address.getPort());
        memory = ByteBuffer.allocate(0); // timers may keep this object for a while
    }
}
