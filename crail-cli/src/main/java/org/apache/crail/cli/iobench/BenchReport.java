/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.List;

/**
 * The whole of the JSON. Immutable.
 *
 * @param test what was measured
 * @param path the file or container
 * @param sizeBytes size of an operation
 * @param loop operations of each thread
 * @param batch operations in flight
 * @param warmup operations of each thread before the clock started
 * @param threads threads
 * @param clients stores
 * @param buffered whether buffered streams were used
 * @param experiments the results
 */
record BenchReport(
        String test,
        String path,
        int sizeBytes,
        int loop,
        int batch,
        int warmup,
        int threads,
        int clients,
        boolean buffered,
        List<BenchResult> experiments) {}
