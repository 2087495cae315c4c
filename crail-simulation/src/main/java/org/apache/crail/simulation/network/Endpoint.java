/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.network;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.storage.StorageEndpoint;

/**
 * A client's connection to a datanode, as that of the {@code tcp} tier: one at a time, in order. A transfer that
 * takes too long ends it, and what it had sent may still arrive, until the datanode greets the next one. Confined to
 * its scheduler.
 */
final class Endpoint implements StorageEndpoint {
    private static final int MOST_PIECES = 3;
    private static final int SELDOM_PAUSE = 200;
    private static final long MOST_PAUSE_NS = 30_000_000_000L;

    private final Network network;
    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private final int port;
    private final long timeoutNs;
    private final boolean isLocal;
    private final List<Transfer> pending = new ArrayList<>();
    private long connection = 1;
    private long lastArrivalNs;
    private boolean closed;

    Endpoint(Network network, SimulatedProcess process, int port, long timeoutMs, boolean isLocal) {
        this.network = network;
        this.scheduler = network.scheduler();
        this.process = process;
        this.port = port;
        this.timeoutNs = timeoutMs * 1_000_000L;
        this.isLocal = isLocal;
    }

    @Override
    public CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset) {
        return transfer(buffer, block, offset, false);
    }

    @Override
    public CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset) {
        return transfer(buffer, block, offset, true);
    }

    private CompletableFuture<Integer> transfer(CrailBuffer buffer, BlockInfo block, long offset, boolean isWrite) {
        ByteBuffer bytes = buffer.getByteBuffer().duplicate();
        buffer.position(buffer.limit());
        Transfer transfer = new Transfer(isWrite, block, offset, bytes);
        if (closed) {
            transfer.completeExceptionally(new ClosedException("the store has been closed"));
        } else if (!process.hasCrashed()) {
            pending.add(transfer);
            transfer.begin();
        }
        return transfer;
    }

    @Override
    public boolean isMapped(BlockInfo block) {
        return isLocal && datanode() != null && !datanode().process().hasCrashed();
    }

    /**
     * The process may be stopped before it looks at the epoch; nothing is promised if it is between that and the end.
     */
    @Override
    public boolean copy(boolean isWrite, ByteBuffer bytes, BlockInfo block, long offset) throws CrailException {
        if (!isMapped(block)) {
            return false;
        }
        if (network.random().nextInt(SELDOM_PAUSE) == 0 && network.hasPauses() && scheduler.mayWait()) {
            long pauseNs = network.random().nextLong(MOST_PAUSE_NS);
            network.count("client stopped before a copy");
            process.pauseUntil(scheduler.nanoTime() + pauseNs);
            scheduler.pause(1);
        }
        Datanode datanode = datanode();
        datanode.admit(block, offset, bytes.remaining(), isWrite);
        byte[] copied = new byte[bytes.remaining()];
        if (isWrite) {
            bytes.duplicate().get(copied);
            datanode.put(block, offset, copied);
        } else {
            datanode.send(block, offset, copied);
            bytes.duplicate().put(copied);
        }
        if (!datanode.isCurrent(block)) {
            throw new StaleBlockException(block + " has been given to another node");
        }
        return true;
    }

    private Datanode datanode() {
        return network.datanodes().get(port);
    }

    @Override
    public boolean isLocal() {
        return false;
    }

    @Override
    public void close() {
        closed = true;
        fail(new ClosedException("the endpoint has been closed"));
    }

    /** Ends the connection; what is under way on it counts no more for this client. */
    private void fail(CrailException reason) {
        connection++;
        List<Transfer> failed = List.copyOf(pending);
        pending.clear();
        failed.forEach(transfer -> transfer.completeExceptionally(reason));
    }

    private final class Transfer extends CompletableFuture<Integer> {
        private final boolean isWrite;
        private final BlockInfo block;
        private final long offset;
        private final ByteBuffer target;
        private final byte[] bytes;
        private final long mine = connection;
        private int done;

        Transfer(boolean isWrite, BlockInfo block, long offset, ByteBuffer buffer) {
            this.isWrite = isWrite;
            this.block = block;
            this.offset = offset;
            this.target = buffer;
            this.bytes = new byte[buffer.remaining()];
            if (isWrite) {
                buffer.duplicate().get(bytes);
            }
        }

        void begin() {
            Future<?> limit = scheduler.after(process, timeoutNs, this::onLate);
            whenComplete((count, failure) -> limit.cancel(false));
            Datanode datanode = datanode();
            if (datanode == null || datanode.process().hasCrashed()) {
                answer(new DatanodeUnreachableException("datanode " + port + " is down", null));
                return;
            }
            arriveLater(datanode, this::arrive);
        }

        /** Requests and pieces of one connection arrive in order. */
        private void arriveLater(Datanode datanode, Step step) {
            long nowNs = scheduler.nanoTime();
            long arrivesNs = network.passesAt(process, datanode.process(), nowNs + network.delayNs());
            lastArrivalNs = Math.max(lastArrivalNs + 1, arrivesNs);
            scheduler.after(datanode.process(), lastArrivalNs - nowNs, () -> {
                if (datanode.isCurrent(Endpoint.this, mine)) {
                    attempt(datanode, step);
                }
            });
        }

        private void attempt(Datanode datanode, Step step) {
            try {
                step.run(datanode);
            } catch (CrailException e) {
                answer(e);
            }
        }

        private void arrive(Datanode datanode) throws CrailException {
            datanode.admit(block, offset, bytes.length, isWrite);
            if (isWrite) {
                receive(datanode);
            } else {
                scheduler.after(datanode.process(), network.delayNs(), () -> {
                    datanode.send(block, offset, bytes);
                    answer(null);
                });
            }
        }

        private void receive(Datanode datanode) throws CrailException {
            int left = bytes.length - done;
            int length = left <= 1 || network.random().nextInt(MOST_PIECES) == 0
                    ? left
                    : 1 + network.random().nextInt(left);
            datanode.receive(block, offset, bytes, done, length);
            done += length;
            if (done < bytes.length) {
                arriveLater(datanode, this::receive);
            } else {
                answer(null);
            }
        }

        private void answer(CrailException failure) {
            Datanode datanode = datanode();
            long nowNs = scheduler.nanoTime();
            long arrivesNs = nowNs + network.delayNs();
            if (datanode != null) {
                arrivesNs = network.passesAt(datanode.process(), process, arrivesNs);
            }
            scheduler.after(process, arrivesNs - nowNs, () -> end(failure));
        }

        private void end(CrailException failure) {
            if (isDone() || mine != connection || !pending.remove(this)) {
                return;
            }
            if (failure != null) {
                completeExceptionally(failure);
                return;
            }
            if (!isWrite) {
                target.duplicate().put(bytes);
            }
            complete(bytes.length);
        }

        private void onLate() {
            if (!isDone() && pending.remove(this)) {
                network.count(isWrite ? "write timed out" : "read timed out");
                CrailException late = new OperationTimeoutException("datanode " + port + " did not answer in time");
                fail(new DatanodeUnreachableException("the connection to datanode " + port + " was ended", null));
                completeExceptionally(late);
            }
        }
    }

    /** Something that a datanode does and may refuse. */
    private interface Step {
        void run(Datanode datanode) throws CrailException;
    }
}
