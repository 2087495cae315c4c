/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

/** The work of one thread. Implementations have no state. */
interface BenchTest {
    /**
     * Does operations and tells the meter of each; everything that was begun is complete on return.
     *
     * @param operations how many
     */
    void run(BenchTask task, int operations, Meter meter) throws Exception;
}
