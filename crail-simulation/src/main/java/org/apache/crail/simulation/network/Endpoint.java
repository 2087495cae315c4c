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
    private final boolean isOfLease;
    private final boolean isLocal;
    private final List<Transfer> pending = new ArrayList<>();
    private Medium medium;
    private long connection = 1;
    private long lastArrivalNs;
    private boolean closed;

    /**
     * Makes one that is not connected yet.
     *
     * @param isOfLease whether the time limit is that of the lease, after which others ask for the location again
     */
    Endpoint(Network network, SimulatedProcess process, int port, long timeoutMs, boolean isOfLease, boolean isLocal) {
        this.network = network;
        this.scheduler = network.scheduler();
        this.process = process;
        this.port = port;
        this.timeoutNs = timeoutMs * 1_000_000L;
        this.isOfLease = isOfLease;
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
        return isLocal && datanode() != null;
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
        Medium datanode = datanode();
        if (datanode == null) {
            return false;
        }
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

    /** Whom the present connection leads to; null if nobody listens. */
    private Medium datanode() {
        if (medium == null || !medium.isServing()) {
            medium = network.reach(port);
        }
        return medium;
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
        medium = null;
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
        private final long postedNs = scheduler.nanoTime();
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
            Medium datanode = datanode();
            if (datanode == null) {
                answer(new DatanodeUnreachableException("datanode " + port + " is down", null));
                return;
            }
            arriveLater(datanode, this::arrive);
        }

        /** Requests and pieces of one connection arrive in order. */
        private void arriveLater(Medium datanode, Step step) {
            long nowNs = scheduler.nanoTime();
            long arrivesNs = network.passesAt(process, datanode.process(), nowNs + network.delayNs());
            lastArrivalNs = Math.max(lastArrivalNs + 1, arrivesNs);
            scheduler.after(datanode.process(), lastArrivalNs - nowNs, () -> {
                if (datanode.isServing() && isUnderWay(datanode)) {
                    attempt(datanode, step);
                }
            });
        }

        /**
         * A tier with a processor hears of the next connection; else a device gives up by itself, and sends no more.
         */
        private boolean isUnderWay(Medium datanode) {
            return datanode.comparesEpochs()
                    ? datanode.greet(Endpoint.this, mine)
                    : mine == connection && scheduler.nanoTime() - postedNs < timeoutNs;
        }

        private void attempt(Medium datanode, Step step) {
            try {
                step.run(datanode);
            } catch (CrailException e) {
                answer(e);
            }
        }

        private void arrive(Medium datanode) throws CrailException {
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

        private void receive(Medium datanode) throws CrailException {
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
            long nowNs = scheduler.nanoTime();
            long arrivesNs = nowNs + network.delayNs();
            if (medium != null) {
                arrivesNs = network.passesAt(medium.process(), process, arrivesNs);
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
            if (isDone() || !pending.remove(this)) {
                return;
            }
            network.count(isWrite ? "write timed out" : "read timed out");
            if (isOfLease) {
                CrailException tooLate =
                        new StaleBlockException("datanode " + port + " did not answer within most of the lease");
                fail(tooLate);
                completeExceptionally(tooLate);
            } else {
                fail(new DatanodeUnreachableException("the connection to datanode " + port + " was ended", null));
                completeExceptionally(new OperationTimeoutException("datanode " + port + " did not answer in time"));
            }
        }
    }

    /** Something that a datanode does and may refuse. */
    private interface Step {
        void run(Medium datanode) throws CrailException;
    }
}
