/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The comparison of a store with the raw machine and with other systems on the same work: bin/compare. {@link
 * org.apache.crail.comparison.Comparison} starts a process for each placement ({@link
 * org.apache.crail.comparison.Contest}), which starts the systems, lets them take turns, and leaves its figures to the
 * former. Nothing here is a test of speed; docs/benchmarks.md has the figures and docs/benchmarks/method.md the method.
 * Unless said otherwise, types are used by one thread.
 */
package org.apache.crail.comparison;
