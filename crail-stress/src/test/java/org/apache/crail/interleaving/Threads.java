/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.interleaving;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The threads of a scenario. To be used by one thread. */
public final class Threads {
    private final List<Thread> all = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** Where all threads meet first: without that, what one does before it meets another would always come first. */
    private final AtomicInteger begun = new AtomicInteger();

    /** What a thread does. */
    @FunctionalInterface
    public interface Body {
        void run() throws Exception;
    }

    /** Adds a thread, which does not run yet. Returns this. */
    public Threads add(String name, Body body) {
        all.add(new Thread(() -> run(body), name));
        return this;
    }

    private void run(Body body) {
        try {
            int ignored = begun.incrementAndGet();
            body.run();
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
            throw new AssertionError(Thread.currentThread().getName(), e);
        }
    }

    /** Runs all threads to their ends. */
    public void run() throws InterruptedException {
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }
        Throwable first = failure.get();
        if (first != null) {
            throw new AssertionError("a thread failed", first);
        }
    }
}
