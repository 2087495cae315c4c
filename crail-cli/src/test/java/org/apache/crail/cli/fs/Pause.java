/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.concurrent.CountDownLatch;

/** Holds a thread up at a place until the test lets it go on. All methods are thread safe. */
final class Pause {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Called at the place by the thread that is held up; returns at once when the pause has ended. */
    void here() {
        begun.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the copy", e);
        }
    }

    void awaitBegin() throws InterruptedException {
        begun.await();
    }

    void end() {
        ended.countDown();
    }
}
