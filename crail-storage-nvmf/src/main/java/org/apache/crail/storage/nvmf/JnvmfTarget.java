/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;

/** A target, over jNVMf, as a datanode sees it. Threads as {@link WatchedTarget} says. */
final class JnvmfTarget implements WatchedTarget {
    private static final int QUEUE_SIZE = 2;

    private final JnvmfController controller;
    private final JnvmfDevice device;
    private final Target target;
    private final long timeoutMs;
    private volatile boolean closed;
    private Label label;

    JnvmfTarget(Target target, long timeoutMs) throws IOException {
        this.target = target;
        this.timeoutMs = timeoutMs;
        this.controller = JnvmfController.connect(target, timeoutMs);
        JnvmfDevice made = null;
        try {
            made = new JnvmfDevice(controller, QUEUE_SIZE, new NvmfCounters());
        } finally {
            if (made == null) {
                controller.close();
            }
        }
        this.device = made;
    }

    @Override
    public NamespaceShape shape() throws IOException {
        return controller.identify();
    }

    @Override
    public String medium() {
        return target.nqn() + " serial " + controller.serial() + " namespace " + target.namespace();
    }

    @Override
    public synchronized void writeLabel(long begin, long incarnation) throws IOException {
        label(begin).write(incarnation, timeoutMs);
    }

    @Override
    public synchronized boolean hasLabel(long begin, long incarnation) throws IOException {
        return label(begin).isThere(incarnation, timeoutMs);
    }

    private Label label(long begin) throws IOException {
        if (label == null) {
            label = new Label(device, begin, () -> closed);
        }
        return label;
    }

    @Override
    public void keepAlive() throws IOException {
        controller.keepAlive();
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) { // a command of the label ends by itself then
            device.destroy();
        }
    }
}
