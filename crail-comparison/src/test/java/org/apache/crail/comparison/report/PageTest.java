/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.comparison.contest.Placement;
import org.apache.crail.comparison.contest.Report.Figures;
import org.junit.jupiter.api.Test;

final class PageTest {
    private static final List<Placement> PLACEMENTS = List.of(Placement.FREE);
    private static final List<Result> RESULTS = Result.of(
            Placement.FREE,
            List.of(
                    new Figures("lookup", "raw-tcp", "us", List.of(10.0)),
                    new Figures("lookup", "crail-tcp", "us", List.of(20.0))));

    @Test
    void shouldHaveOriginRatiosAndFigures() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", "2026-11-27");
        facts.put("processor", "2 x Some Processor");
        facts.put("command", "bin/compare --rounds 5");
        Run run = new Run(facts, Map.of("redis", "not installed"), Map.of("hdfs", "it\nended"));

        assertThat(Page.of(run, PLACEMENTS, RESULTS).lines())
                .containsExactly(
                        "# 2026-11-27, 2 x Some Processor",
                        "",
                        "- date: `2026-11-27`",
                        "- processor: `2 x Some Processor`",
                        "- command: `bin/compare --rounds 5`",
                        "- skipped: redis: `not installed`",
                        "- failed: hdfs: `it ended`",
                        "",
                        "## Ratios",
                        "",
                        "Median (min to max) of ratios within a round, or of a figure with a target of its own.",
                        "In `us` less is better, in all else more; `docs/benchmarks/method.md` describes the work.",
                        "",
                        "| work | system | against | target | free | met |",
                        "| --- | --- | --- | --- | ---: | --- |",
                        "| lookup | crail-tcp | raw-tcp | <= 1.60 | 2.00 (2.00 to 2.00) | **no** |",
                        "",
                        "## Figures",
                        "",
                        "Median (min to max) of the rounds.",
                        "",
                        "| work | system | unit | free |",
                        "| --- | --- | --- | ---: |",
                        "| lookup | raw-tcp | us | 10.0 (10.0 to 10.0) |",
                        "| lookup | crail-tcp | us | 20.0 (20.0 to 20.0) |");
    }

    @Test
    void shouldKeepTextsOfOthersWithinTheirCode() {
        Map<String, String> facts = new LinkedHashMap<>(Map.of("command", "`a`\n## b", "jvm options", " "));
        facts.put("unknown", null);

        assertThat(Page.of(new Run(facts, Map.of(), Map.of()), PLACEMENTS, RESULTS)
                        .lines())
                .contains("- command: `'a' ## b`", "- unknown: `null`")
                .noneMatch(line -> line.startsWith("- jvm options"));
    }

    @Test
    void shouldTellDateCommitMachineCommandAndTime() throws IOException {
        Run run = Run.begin(Instant.parse("2026-11-27T23:59:59Z"), "bda19b5", "--rounds", "5");
        run.took(Duration.ofSeconds(3_061));

        assertThat(run.facts())
                .containsEntry("date", "2026-11-27")
                .containsEntry("commit", "bda19b5")
                .containsEntry("command", "bin/compare --rounds 5")
                .containsEntry("took", "51 min 1 s")
                .containsKeys("processor", "system", "jvm");
        assertThat(run.date()).isEqualTo("2026-11-27");
        assertThat(run.processor()).isEqualTo(run.facts().get("processor"));
    }

    @Test
    void shouldNameNoCommitOutsideOfARepository() throws IOException {
        assertThat(Run.begin(Instant.EPOCH, "").facts()).doesNotContainKey("commit");
        assertThat(Run.begin(Instant.EPOCH, null).facts()).doesNotContainKey("commit");
    }
}
