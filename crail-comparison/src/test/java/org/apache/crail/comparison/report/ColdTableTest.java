/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.crail.comparison.contest.Placement;
import org.apache.crail.comparison.contest.Report.Figures;
import org.junit.jupiter.api.Test;

final class ColdTableTest {
    private static final List<Result> RESULTS = Result.of(
            Placement.SPLIT,
            List.of(
                    figures("put-1m/open/wall", "crail-mapped", 600, 800),
                    figures("put-1m/open/processor", "crail-mapped", 900, 1_000),
                    figures("put-1m/100/wall", "crail-mapped", 40, 60),
                    figures("put-1m/open/wall", "redis", 200, 400),
                    figures("write-1m/open/wall", "crail-mapped", 500, 500),
                    figures("write-1m/100/wall", "crail-mapped", 20, 20)));

    private static Figures figures(String step, String system, double first, double second) {
        return new Figures(step, system, "ms", List.of(first, second));
    }

    @Test
    void shouldPutMarksSideBySide() {
        assertThat(print(ColdTable::figures))
                .containsExactly(
                        "",
                        "Placement split",
                        "",
                        "| work | system | time | open | 100 |",
                        "| --- | --- | --- | ---: | ---: |",
                        "| put-1m | crail-mapped | wall | 700 (600 to 800) | 50.0 (40.0 to 60.0) |",
                        "| put-1m | crail-mapped | processor | 950 (900 to 1,000) |  |",
                        "| put-1m | redis | wall | 300 (200 to 400) |  |",
                        "| write-1m | crail-mapped | wall | 500 (500 to 500) | 20.0 (20.0 to 20.0) |");
    }

    @Test
    void shouldCompareOursWithOthersAndPutsWithWrites() {
        assertThat(print(ColdTable::ratios))
                .containsExactly(
                        "",
                        "Placement split",
                        "",
                        "| work | system | against | time | open | 100 |",
                        "| --- | --- | --- | --- | ---: | ---: |",
                        "| put-1m | crail-mapped | redis | wall | 2.50 (2.00 to 3.00) |  |",
                        "| put-1m | crail-mapped | write-1m | wall | 1.40 (1.20 to 1.60) | 2.50 (2.00 to 3.00) |");
    }

    private static List<String> print(BiConsumer<ColdTable, List<Result>> table) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        table.accept(new ColdTable(out, List.of(Placement.SPLIT)), RESULTS);
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
