/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.crail.benchmarks.Spread;
import org.apache.crail.comparison.contest.Placement;

/** Prints results as tables in Markdown, with a column for each placement. */
public final class Table {
    private final PrintStream out;
    private final List<Placement> placements;

    /** Prints to {@code out}. */
    public Table(PrintStream out, List<Placement> placements) {
        this.out = out;
        this.placements = placements;
    }

    /** The figures of all systems: median, and in brackets the extremes. */
    public void figures(List<Result> results) {
        header(List.of("work", "system", "unit"), List.of());
        lines(
                        results,
                        result -> List.of(
                                result.row().work(),
                                result.row().system(),
                                result.row().unit()))
                .forEach((begin, line) -> line(begin, line, Table::figure, List.of()));
    }

    /** How our systems compare with others: the median of the ratios, and in brackets their extremes. */
    public void ratios(List<Result> results) {
        header(List.of("work", "system", "against", "target"), List.of("met"));
        List<Result> compared = results.stream()
                .filter(result -> result.ratios() != null || result.target() != null)
                .toList();
        lines(compared, Table::comparison)
                .forEach((begin, line) -> line(begin, line, Result::reached, List.of(met(line.values()))));
    }

    private static List<String> comparison(Result result) {
        return List.of(
                result.row().work(),
                result.row().system(),
                result.row().reference() == null ? "" : result.row().reference(),
                result.target() == null ? "" : result.target().toString());
    }

    static Spread figure(Result result) {
        return new Spread(
                result.row().median(), result.row().min(), result.row().max());
    }

    /** Where the target is met; nothing without a target. */
    private static String met(Collection<Result> results) {
        List<Result> judged =
                results.stream().filter(result -> result.target() != null).toList();
        List<String> met = judged.stream()
                .filter(result -> result.factor() >= 1)
                .map(result -> result.row().placement())
                .toList();
        if (judged.isEmpty()) {
            return "";
        }
        return met.size() == judged.size() ? "yes" : met.isEmpty() ? "**no**" : "only " + String.join(", ", met);
    }

    /** Results by what their line begins with, and by placement. */
    private static Map<List<String>, Map<String, Result>> lines(
            List<Result> results, Function<Result, List<String>> begin) {
        Map<List<String>, Map<String, Result>> lines = new LinkedHashMap<>();
        for (Result result : results) {
            lines.computeIfAbsent(begin.apply(result), key -> new LinkedHashMap<>())
                    .putIfAbsent(result.row().placement(), result);
        }
        return lines;
    }

    private void header(List<String> begin, List<String> end) {
        List<String> names = placements.stream().map(Placement::toString).toList();
        line(begin, names, end);
        line(dashes(begin, "---"), dashes(names, "---:"), dashes(end, "---"));
    }

    private static List<String> dashes(List<String> columns, String dashes) {
        return columns.stream().map(column -> dashes).toList();
    }

    private void line(List<String> begin, Map<String, Result> line, Function<Result, Spread> figure, List<String> end) {
        List<String> cells = placements.stream()
                .map(placement -> line.get(placement.toString()))
                .map(result -> result == null ? "" : text(figure.apply(result)))
                .toList();
        line(begin, cells, end);
    }

    private void line(List<String> begin, List<String> middle, List<String> end) {
        List<String> cells = new ArrayList<>(begin);
        cells.addAll(middle);
        cells.addAll(end);
        out.println("| " + String.join(" | ", cells) + " |");
    }

    /** The median, and in brackets the extremes. */
    static String text(Spread spread) {
        return text(spread.median()) + " (" + text(spread.min()) + " to " + text(spread.max()) + ")";
    }

    private static String text(double figure) {
        String format = figure < 0.1 ? "%.4f" : figure < 10 ? "%.2f" : figure < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, figure);
    }
}
