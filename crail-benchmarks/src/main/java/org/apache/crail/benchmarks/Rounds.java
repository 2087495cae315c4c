/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of an interleaved run, by what was measured and by round. Not thread safe. */
final class Rounds {
    private final Map<Metric, List<Double>> figures = new EnumMap<>(Metric.class);

    /** Adds the figure of the current round. */
    void add(Metric metric, double figure) {
        figures.computeIfAbsent(metric, key -> new ArrayList<>()).add(figure);
    }

    /** Forgets everything: what came before was warm-up. */
    void clear() {
        figures.clear();
    }

    Spread spread(Metric metric) {
        return Spread.of(figures.get(metric));
    }

    /** The figure divided by its base, each pair from the same round. */
    Spread ratio(Metric metric) {
        List<Double> own = figures.get(metric);
        List<Double> base = figures.get(metric.base());
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            ratios.add(own.get(i) / base.get(i));
        }
        return Spread.of(ratios);
    }

    /** Prints a table in Markdown. */
    void print(PrintStream out) {
        out.println("| what | unit | median | min | max | ratio to base: median (min to max) | target |");
        out.println("| --- | --- | ---: | ---: | ---: | --- | --- |");
        for (Metric metric : figures.keySet()) {
            Spread spread = spread(metric);
            out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s | %s | %s |%n",
                    metric.label(),
                    metric.unit(),
                    text(spread.median()),
                    text(spread.min()),
                    text(spread.max()),
                    ratioText(metric),
                    metric.target());
        }
    }

    private String ratioText(Metric metric) {
        if (metric.base() == null || !figures.containsKey(metric.base())) {
            return "";
        }
        Spread ratio = ratio(metric);
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", ratio.median(), ratio.min(), ratio.max());
    }

    private static String text(double figure) {
        return String.format(Locale.ROOT, figure < 100 ? "%.1f" : "%,.0f", figure);
    }

    /** All figures, for JSON: by name of the metric. */
    Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        figures.forEach((metric, rounds) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("unit", metric.unit());
            entry.put("rounds", rounds);
            entry.put("spread", spread(metric));
            if (metric.base() != null && figures.containsKey(metric.base())) {
                entry.put("base", metric.base().name());
                entry.put("ratio", ratio(metric));
            }
            map.put(metric.name(), entry);
        });
        return map;
    }
}
