/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.crail.benchmarks.Spread;
import org.apache.crail.comparison.cold.ColdStep;
import org.apache.crail.comparison.contest.Placement;
import org.apache.crail.comparison.contest.Report.Figures;
import org.apache.crail.comparison.peers.Systems;

/**
 * A row with what people want to know besides.
 *
 * @param ratios the spread of the ratios; null without a reference
 * @param target what is to be reached; null if nothing
 */
public record Result(Row row, Spread ratios, TargetFigure target) {
    /** All results of a placement, in the order of its figures. */
    public static List<Result> of(Placement placement, List<Figures> all) {
        List<Result> results = new ArrayList<>();
        for (Figures own : all) {
            List<Result> compared = new ArrayList<>();
            for (Figures other : all) {
                if (other.work().equals(own.work()) && Systems.comparable(own.system(), other.system())) {
                    compared.add(of(placement, own, other.system(), other));
                }
            }
            List<String> references = new ArrayList<>(TargetFigure.otherWork(own.work(), own.system()));
            references.addAll(ColdStep.otherWork(own.work(), own.system()));
            for (String reference : references) {
                find(all, reference).ifPresent(other -> compared.add(of(placement, own, reference, other)));
            }
            if (compared.isEmpty()
                    || TargetFigure.of(own.work(), own.system(), null).isPresent()) {
                results.add(of(placement, own, null, null));
            }
            results.addAll(compared);
        }
        return results;
    }

    private static Optional<Figures> find(List<Figures> all, String reference) {
        return all.stream()
                .filter(figures -> (figures.work() + "/" + figures.system()).equals(reference))
                .findFirst();
    }

    private static Result of(Placement placement, Figures own, String reference, Figures other) {
        Spread spread = Spread.of(own.rounds());
        Spread ratios = other == null ? null : Spread.of(ratios(own.rounds(), other.rounds()));
        Row row = new Row(
                own.work(),
                own.system(),
                placement.toString(),
                own.unit(),
                spread.median(),
                spread.min(),
                spread.max(),
                own.rounds().size(),
                reference,
                ratios == null ? null : ratios.median());
        return new Result(
                row,
                ratios,
                TargetFigure.of(own.work(), own.system(), reference).orElse(null));
    }

    /** Each figure divided by that of the same round. */
    static List<Double> ratios(List<Double> own, List<Double> other) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            ratios.add(own.get(i) / other.get(i));
        }
        return ratios;
    }

    /** What the target is about: the ratio, or without a reference the figure. */
    Spread reached() {
        return ratios == null ? new Spread(row.median(), row.min(), row.max()) : ratios;
    }

    /** How far the target is exceeded, 1 if it is just met; only with a target. */
    double factor() {
        return target.factor(reached().median());
    }
}
