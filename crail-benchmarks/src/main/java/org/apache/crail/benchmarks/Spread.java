/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.List;

/**
 * The figures of all rounds.
 *
 * @param median the middle one
 * @param min the smallest
 * @param max the largest
 */
public record Spread(double median, double min, double max) {

    /** Sums up figures, of which there is at least one. */
    public static Spread of(List<Double> figures) {
        List<Double> sorted = figures.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }
}
