/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.crail.CrailStatistics;

/** How many streams a store has opened and closed. All methods are thread safe. */
class CoreStreamStatistics implements CrailStatistics.StatisticsProvider {
    private final Direction input = new Direction();
    private final Direction output = new Direction();

    /** Counts of one direction. */
    private static final class Direction {
        final LongAdder opened = new LongAdder();
        final LongAdder closed = new LongAdder();
        final AtomicLong open = new AtomicLong();
        final AtomicLong most = new AtomicLong();

        void open() {
            opened.increment();
            long now = open.incrementAndGet();
            if (now > most.get()) {
                most.accumulateAndGet(now, Math::max);
            }
        }

        void close() {
            closed.increment();
            open.decrementAndGet();
        }

        void add(Direction other) {
            opened.add(other.opened.sum());
            closed.add(other.closed.sum());
            most.accumulateAndGet(other.most.get(), Math::max);
        }

        void reset() {
            opened.reset();
            closed.reset();
            most.set(open.get());
        }
    }

    void opened(boolean write) {
        (write ? output : input).open();
    }

    void closed(boolean write) {
        (write ? output : input).close();
    }

    @Override
    public String providerName() {
        return "core/streams";
    }

    @Override
    public String printStatistics() {
        return "open " + (input.opened.sum() + output.opened.sum()) + ", close "
                + (input.closed.sum() + output.closed.sum()) + ", openInput " + input.opened.sum() + ", closeInput "
                + input.closed.sum() + ", openOutput " + output.opened.sum() + ", closeOutput " + output.closed.sum()
                + ", maxInput " + input.most.get() + ", maxOutput " + output.most.get();
    }

    @Override
    public void mergeStatistics(CrailStatistics.StatisticsProvider provider) {
        if (provider instanceof CoreStreamStatistics other) {
            input.add(other.input);
            output.add(other.output);
        }
    }

    @Override
    public void resetStatistics() {
        input.reset();
        output.reset();
    }
}
