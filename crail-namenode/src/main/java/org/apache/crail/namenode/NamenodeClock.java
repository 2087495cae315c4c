/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

/** Where the namenode takes the time from, so that tests can let it pass. All methods are thread safe. */
public interface NamenodeClock {
    /** The clock of this host. */
    NamenodeClock SYSTEM = new NamenodeClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return System.currentTimeMillis();
        }
    };

    /** Nanoseconds since some fixed moment; for periods. */
    long nanoTime();

    /** Milliseconds since 1970; for the times that users see. */
    long currentTimeMillis();
}
