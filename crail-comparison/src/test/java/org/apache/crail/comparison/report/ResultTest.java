/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.apache.crail.benchmarks.Spread;
import org.apache.crail.comparison.contest.Placement;
import org.apache.crail.comparison.contest.Report.Figures;
import org.junit.jupiter.api.Test;

final class ResultTest {
    private static final List<Figures> LOOKUPS = List.of(
            new Figures("lookup", "raw-tcp", "us", List.of(10.0, 20.0, 40.0)),
            new Figures("lookup", "raw-unix", "us", List.of(1.0, 1.0, 1.0)),
            new Figures("lookup", "crail-tcp", "us", List.of(15.0, 20.0, 80.0)));

    @Test
    void shouldTakeTheMiddleFigureOrTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(9.0, 1.0, 5.0))).isEqualTo(new Spread(5, 1, 9));
        assertThat(Spread.of(List.of(9.0, 1.0, 5.0, 7.0))).isEqualTo(new Spread(6, 1, 9));
    }

    /** The median of the ratios, 1.5, is not the ratio of the medians, 1. */
    @Test
    void shouldDivideFiguresOfTheSameRound() {
        Result crail = only("crail-tcp", Result.of(Placement.SPLIT, LOOKUPS));

        assertThat(crail.ratios()).isEqualTo(new Spread(1.5, 1.0, 2.0));
        assertThat(crail.row()).isEqualTo(new Row("lookup", "crail-tcp", "split", "us", 20, 15, 80, 3, "raw-tcp", 1.5));
    }

    @Test
    void shouldCompareOursWithTheirOwnRawMachineAndOthersWithNothing() {
        assertThat(Result.of(Placement.FREE, LOOKUPS))
                .extracting(
                        result -> result.row().system(), result -> result.row().reference())
                .containsExactly(tuple("raw-tcp", null), tuple("raw-unix", null), tuple("crail-tcp", "raw-tcp"));
    }

    @Test
    void shouldHaveARowForEachReferenceAndCompareWithPeersOfOthers() {
        List<Figures> gets = List.of(
                new Figures("get-1m", "crail-tcp", "MiB/s", List.of(300.0)),
                new Figures("get-1m", "redis", "MiB/s", List.of(100.0)),
                new Figures("get-1m", "their-own", "MiB/s", List.of(600.0)));

        assertThat(Result.of(Placement.FREE, gets))
                .filteredOn(result -> result.row().system().equals("crail-tcp"))
                .extracting(result -> result.row().reference(), result -> result.row()
                        .ratio())
                .containsExactly(tuple("redis", 3.0), tuple("their-own", 0.5));
    }

    @Test
    void shouldCompareManyThreadsWithOneThreadOfTheSameSystem() {
        List<Figures> gets = List.of(
                new Figures("get-256-1-thread", "crail-tcp", "1/s", List.of(100.0)),
                new Figures("get-256-8-threads", "crail-tcp", "1/s", List.of(250.0)));

        Result eight = Result.of(Placement.FREE, gets).get(1);

        assertThat(eight.row().reference()).isEqualTo("get-256-1-thread/crail-tcp");
        assertThat(eight.row().ratio()).isEqualTo(2.5);
        assertThat(eight.factor()).isEqualTo(2.5);
    }

    @Test
    void shouldSayHowFarATargetIsExceededWhicheverWayIsBetter() {
        Result lookup = only("crail-tcp", Result.of(Placement.SPLIT, LOOKUPS));
        assertThat(lookup.target()).hasToString("<= 1.60");
        assertThat(lookup.factor()).isCloseTo(1.6 / 1.5, within(1e-9));

        List<Figures> pipelined = List.of(new Figures("lookup-pipelined", "crail-tcp", "1/s", List.of(150_000.0)));
        Result missed = Result.of(Placement.FREE, pipelined).get(0);
        assertThat(missed.target()).hasToString(">= 300,000");
        assertThat(missed.factor()).isEqualTo(0.5);
    }

    @Test
    void shouldWriteThePromisedFieldsOfARowAndNoOther() {
        Row row = only("crail-tcp", Result.of(Placement.SPLIT, LOOKUPS)).row();

        assertThat(new ObjectMapper().valueToTree(row).fieldNames())
                .toIterable()
                .containsExactly(
                        "work", "system", "placement", "unit", "median", "min", "max", "rounds", "reference", "ratio");
    }

    private static Result only(String system, List<Result> results) {
        List<Result> found = results.stream()
                .filter(result -> result.row().system().equals(system))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
