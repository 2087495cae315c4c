/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

/** One of a server's worker threads, with the connections that it serves. All methods are thread safe. */
final class ConnectionCluster {
    private final CompletionLoop loop;
    private final Thread thread;

    ConnectionCluster(DaRPCSettings settings, String name, long mask) {
        this.loop = new CompletionLoop(settings, settings.clusterSize(), () -> {});
        this.thread = new Thread(() -> loop.run(mask), name);
        thread.setDaemon(true);
    }

    CompletionLoop loop() {
        return loop;
    }

    void start() {
        thread.start();
    }

    /** Ends the thread, which is given a limited time, and frees its completion queue. */
    void close(long limitMs) throws InterruptedException {
        loop.stop();
        if (Thread.currentThread() != thread) {
            thread.join(limitMs);
        }
        if (!thread.isAlive()) {
            loop.close();
        }
    }
}
