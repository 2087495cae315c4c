/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.crail.comparison.contest.Placement;

/**
 * Writes a run as a page in Markdown, as docs/benchmarks keeps them: where the figures come from, what did not take
 * part, and both tables. Stateless.
 */
public final class Page {
    private Page() {}

    /** Writes a page. */
    public static String of(Run run, List<Placement> placements, List<Result> results) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        origin(out, run);
        Table table = new Table(out, placements);
        section(
                out,
                "Ratios",
                "Median (min to max) of ratios within a round, or of a figure with a target of its own.",
                "In `us` less is better, in all else more; `docs/benchmarks/method.md` describes the work.");
        table.ratios(results);
        section(out, "Figures", "Median (min to max) of the rounds.");
        table.figures(results);
        out.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void origin(PrintStream out, Run run) {
        out.println("# " + run.date() + ", " + run.processor());
        out.println();
        run.facts().forEach((name, value) -> item(out, name, value));
        run.skipped().forEach((name, reason) -> item(out, "skipped: " + name, reason));
        run.failed().forEach((name, reason) -> item(out, "failed: " + name, reason));
    }

    /** As code, so that nothing in it is taken for Markdown. */
    private static void item(PrintStream out, String name, String value) {
        String text = String.valueOf(value).replace('`', '\'').strip();
        if (!text.isEmpty()) {
            out.println("- " + name + ": `" + text.replaceAll("\\s+", " ") + "`");
        }
    }

    private static void section(PrintStream out, String title, String... lines) {
        out.println();
        out.println("## " + title);
        out.println();
        for (String line : lines) {
            out.println(line);
        }
        out.println();
    }
}
