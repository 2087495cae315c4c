/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** A target that does what a test tells it. Thread safe. */
final class FakeTarget implements WatchedTarget, WatchedTarget.Opener {
    volatile NamespaceShape shape = new NamespaceShape(2048, 512);
    volatile IOException failure;
    volatile Error error;
    /** Whether keep-alives get no answer. */
    volatile boolean deaf;

    volatile long label;
    volatile int opened;
    volatile int closed;
    volatile int keepAlives;
    volatile Runnable whileOpening = () -> {};

    private void tryIt() throws IOException {
        if (error != null) {
            throw error;
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public synchronized WatchedTarget open(NvmfDatanodeSettings settings) throws IOException {
        tryIt();
        opened++;
        whileOpening.run();
        return this;
    }

    @Override
    public NamespaceShape shape() throws IOException {
        tryIt();
        return shape;
    }

    @Override
    public String medium() {
        return "a medium";
    }

    @Override
    public void writeLabel(long begin, long incarnation) throws IOException {
        tryIt();
        label = begin ^ incarnation;
    }

    @Override
    public boolean hasLabel(long begin, long incarnation) {
        return label == (begin ^ incarnation);
    }

    @Override
    public void keepAlive() throws IOException {
        while (deaf && closed == 0) {
            LockSupport.parkNanos(1_000_000);
        }
        tryIt();
        synchronized (this) {
            keepAlives++;
        }
    }

    @Override
    public synchronized void close() {
        closed++;
    }
}
