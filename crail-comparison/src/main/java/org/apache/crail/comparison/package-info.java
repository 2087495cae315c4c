/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The comparison of a store with the raw machine and with other systems on the same work: bin/compare. This package has
 * what a system needs that takes part, also one of another project. {@code command} starts a process for each placement
 * ({@code contest}), in which systems ({@code peers}) do their {@code works}, and prints their figures by {@code
 * report}. Nothing here is a test of speed; docs/benchmarks.md has the figures and docs/benchmarks/method.md the
 * method. Unless said otherwise, types are used by one thread.
 */
package org.apache.crail.comparison;
