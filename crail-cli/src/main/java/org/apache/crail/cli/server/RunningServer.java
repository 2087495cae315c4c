/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that runs until the process is told to end, or the thread that waits for it is interrupted, and is then
 * closed once. Used by one thread and the JVM's shutdown.
 */
final class RunningServer {
    private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);

    private final String name;
    private final AutoCloseable server;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopAndWait, "shutdown");

    private RunningServer(String name, AutoCloseable server) {
        this.name = name;
        this.server = server;
    }

    /** Runs a server that is ready and has logged that itself, and closes it in the end. */
    static void untilStopped(String name, String address, AutoCloseable server) throws Exception {
        untilStopped(name, address, server, new CompletableFuture<>());
    }

    /** As above, or until it ends by itself. */
    static void untilStopped(String name, String address, AutoCloseable server, CompletableFuture<?> ended)
            throws Exception {
        RunningServer running = new RunningServer(name, server);
        ended.thenRun(running.stop::countDown);
        try {
            Runtime.getRuntime().addShutdownHook(running.hook);
            running.awaitStop(address);
        } catch (InterruptedException e) {
            LOG.debug("{} was interrupted, which stops it", name);
        } finally {
            running.close();
        }
    }

    private void awaitStop(String address) throws IOException, InterruptedException {
        ReadyFile ready = ReadyFile.write(address, name);
        try {
            stop.await();
        } finally {
            ready.close();
        }
    }

    /** The process is about to end: lets the waiting thread close the server first. */
    private void stopAndWait() {
        LOG.info("{} is stopping", name);
        stop.countDown();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close() throws Exception {
        try {
            server.close();
            LOG.info("{} has stopped", name);
        } finally {
            closed.countDown();
            removeHook();
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.trace("the hook is what stops {}", name);
        }
    }
}
