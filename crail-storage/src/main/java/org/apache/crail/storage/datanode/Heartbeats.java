/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.DatanodeReplacedException;
import org.apache.crail.internal.LastResort;
import org.apache.crail.internal.Surroundings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a datanode that tells the namenode regularly that it lives, registers again with a namenode that does
 * not know it, and signs off in the end. When another datanode has its place it stops, and says why. {@link #close} may
 * be called by any thread.
 */
final class Heartbeats implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
    private static final long SIGN_OFF_LIMIT_MS = 2_000;

    private final Registration registration;
    private final long periodMs;
    private final BooleanSupplier isAlive;
    private final CompletableFuture<CrailException> replaced;
    private final CompletableFuture<Void> stop = new CompletableFuture<>();
    private final Future<?> thread;
    private boolean reachable = true;
    private int taken;

    /**
     * Starts the thread.
     *
     * @param isAlive whether the datanode serves transfers; while it does not, it keeps silent, so that the namenode
     *     gives out none of its blocks
     * @param replaced completed with the reason when another datanode has its place
     */
    Heartbeats(
            Registration registration,
            long periodMs,
            BooleanSupplier isAlive,
            CompletableFuture<CrailException> replaced) {
        this.registration = registration;
        this.periodMs = periodMs;
        this.isAlive = isAlive;
        this.replaced = replaced;
        this.thread =
                Surroundings.start("crail-heartbeat-" + registration.datanode().getPort(), this::run);
    }

    private void run() {
        try {
            while (!isDoneWithin(stop, periodMs) && !replaced.isDone()) {
                LastResort.run(this::beatIfAlive, e -> LOG.error("a heartbeat failed, trying on", e));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!replaced.isDone()) {
            registration.signOff(); // by this thread, so that no heartbeat can follow
        }
    }

    private static boolean isDoneWithin(Future<?> awaited, long limitMs) throws InterruptedException {
        try {
            long limitNs = Surroundings.beforeWait(awaited, TimeUnit.MILLISECONDS.toNanos(limitMs));
            awaited.get(limitNs, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | CancellationException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private void beatIfAlive() {
        if (isAlive.getAsBoolean()) {
            beat();
        }
    }

    private void beat() {
        try {
            long freeBlocks = registration.heartbeat();
            LOG.trace("{} blocks are free", freeBlocks);
            if (registration.isComplete()) {
                onReached();
            } else {
                registerAgain();
            }
        } catch (DatanodeNotRegisteredException e) {
            registerAgain();
        } catch (DatanodeReplacedException e) {
            end(e);
        } catch (CrailException e) {
            onFailure(e);
        }
    }

    private void registerAgain() {
        try {
            LOG.info("the namenode does not know all of this datanode; registering again");
            registration.registerAll();
            onReached();
        } catch (AddressTakenException e) {
            taken++;
            onTaken(e);
        } catch (DatanodeReplacedException e) {
            end(e);
        } catch (CrailException e) {
            onFailure(e);
        }
    }

    /** The other one may have been killed, or this one has been cut off for so long that the other one was started. */
    private void onTaken(AddressTakenException failure) {
        if (taken >= Datanode.TRIES_WHILE_TAKEN) {
            end(failure);
        } else {
            onFailure(failure);
        }
    }

    private void end(CrailException reason) {
        LOG.debug("this datanode sends no heartbeats any more", reason);
        replaced.complete(reason);
    }

    private void onReached() {
        taken = 0;
        if (!reachable) {
            LOG.info("the namenode answers heartbeats again");
            reachable = true;
        }
    }

    private void onFailure(CrailException failure) {
        if (reachable && !stop.isDone()) {
            LOG.warn("a heartbeat failed, trying on: {}", failure.getMessage());
            reachable = false;
        }
    }

    /** Tells the namenode, if it answers soon, that its blocks are not to be given out any more. */
    @Override
    public void close() {
        stop.complete(null);
        try {
            boolean ignored = isDoneWithin(thread, SIGN_OFF_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.cancel(true);
    }
}
