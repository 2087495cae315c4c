/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.crail.comparison.cold.ColdStep;
import org.apache.crail.comparison.contest.Placement;

/** Prints what cold clients have done as tables in Markdown, one for each placement, with a column for each mark. */
public final class ColdTable {
    private final PrintStream out;
    private final List<Placement> placements;

    /** Prints to {@code out}. */
    public ColdTable(PrintStream out, List<Placement> placements) {
        this.out = out;
        this.placements = placements;
    }

    /** Milliseconds of all systems: median, and in brackets the extremes. */
    public void figures(List<Result> results) {
        print(
                results,
                List.of("work", "system"),
                result -> List.of(result.row().system()),
                result -> Table.text(Table.figure(result)));
    }

    /** How long ours take, divided by how long others do, or other work of ours: the same of the ratios. */
    public void ratios(List<Result> results) {
        List<Result> compared =
                results.stream().filter(result -> result.ratios() != null).toList();
        print(
                compared,
                List.of("work", "system", "against"),
                result -> List.of(result.row().system(), against(result)),
                result -> Table.text(result.ratios()));
    }

    /** A system, or the other work of the same one. */
    private static String against(Result result) {
        String reference = result.row().reference();
        int end = reference.indexOf('/');
        return end < 0 ? reference : reference.substring(0, end);
    }

    private void print(
            List<Result> results,
            List<String> header,
            Function<Result, List<String>> subject,
            Function<Result, String> cell) {
        List<String> marks =
                results.stream().map(result -> step(result).mark()).distinct().toList();
        for (Placement placement : placements) {
            out.println();
            out.println("Placement " + placement);
            out.println();
            List<String> names = new ArrayList<>(header);
            names.add("time");
            line(names, marks);
            line(dashes(names, "---"), dashes(marks, "---:"));
            lines(results, placement, subject)
                    .forEach((begin, line) -> line(
                            begin,
                            marks.stream()
                                    .map(line::get)
                                    .map(result -> result == null ? "" : cell.apply(result))
                                    .toList()));
        }
    }

    /** Results of a placement by what their line begins with, and by mark. */
    private static Map<List<String>, Map<String, Result>> lines(
            List<Result> results, Placement placement, Function<Result, List<String>> subject) {
        Map<List<String>, Map<String, Result>> lines = new LinkedHashMap<>();
        for (Result result : results) {
            if (result.row().placement().equals(placement.toString())) {
                ColdStep step = step(result);
                List<String> begin = new ArrayList<>(List.of(step.work()));
                begin.addAll(subject.apply(result));
                begin.add(step.clock());
                lines.computeIfAbsent(begin, key -> new LinkedHashMap<>()).putIfAbsent(step.mark(), result);
            }
        }
        return lines;
    }

    private static ColdStep step(Result result) {
        return ColdStep.parse(result.row().work());
    }

    private static List<String> dashes(List<String> columns, String dashes) {
        return columns.stream().map(column -> dashes).toList();
    }

    private void line(List<String> begin, List<String> cells) {
        List<String> all = new ArrayList<>(begin);
        all.addAll(cells);
        out.println("| " + String.join(" | ", all) + " |");
    }
}
