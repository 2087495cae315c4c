/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;

/** A target that does what a test tells it. Thread safe. */
final class FakeTarget implements WatchedTarget, WatchedTarget.Opener {
    volatile NamespaceShape shape = new NamespaceShape(2048, 512);
    volatile IOException failure;
    volatile long label;
    volatile int opened;
    volatile int closed;
    volatile int keepAlives;
    volatile Runnable whileOpening = () -> {};

    private void tryIt() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public synchronized WatchedTarget open(DatanodeSettings settings) throws IOException {
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
    public synchronized void keepAlive() throws IOException {
        tryIt();
        keepAlives++;
    }

    @Override
    public synchronized void close() {
        closed++;
    }
}
