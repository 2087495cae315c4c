/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.DatanodeReplacedException;
import org.apache.crail.internal.LastResort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a datanode that tells the namenode regularly that it lives, registers again with a namenode that does not
 * know it, and signs off in the end. When another datanode has its place it stops, and says why. {@link #close} may be called by any
 * thread.
 */
final class Heartbeats implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
    private static final long SIGN_OFF_LIMIT_MS = 2_000;

    private final Registration registration;
    private final long periodMs;
    private final BooleanSupplier isAlive;
    private final CompletableFuture<CrailException> replaced;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private boolean reachable = true;
    private int taken;

    /**
     * Starts the thread.
     *
     * @param isAlive whether the datanode serves transfers; while it does not, it keeps silent, so that the namenode gives
     *     out none of its blocks
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
        this.thread = new Thread(
                this::run, "crail-heartbeat-" + registration.datanode().getPort());
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!stop.await(periodMs, TimeUnit.MILLISECONDS) && !replaced.isDone()) {
                LastResort.run(this::beatIfAlive, e -> LOG.error("a heartbeat failed, trying on", e));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!replaced.isDone()) {
            registration.signOff(); // by this thread, so that no heartbeat can follow
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
        if (reachable && stop.getCount() > 0) {
            LOG.warn("a heartbeat failed, trying on: {}", failure.getMessage());
            reachable = false;
        }
    }

    /** Tells the namenode, if it answers soon, that its blocks are not to be given out any more. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(SIGN_OFF_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
