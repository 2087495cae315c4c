/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command clean up when the process is told to end, e.g. by Ctrl-C: its thread is interrupted, and the process
 * waits a while for it to close this. Made and closed by the command's thread.
 */
final class ExitHook implements AutoCloseable {
    private static final long CLEAN_UP_S = 10;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook;

    ExitHook() {
        Thread command = Thread.currentThread();
        this.hook = new Thread(() -> interrupt(command), "interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupt(Thread command) {
        command.interrupt();
        try {
            boolean ignored = closed.await(CLEAN_UP_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            Thread.currentThread().interrupt(); // the process ends, and this was what interrupted the command
        }
    }
}
