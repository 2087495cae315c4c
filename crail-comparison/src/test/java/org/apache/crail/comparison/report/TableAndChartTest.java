/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.crail.comparison.contest.Placement;
import org.apache.crail.comparison.contest.Report.Figures;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class TableAndChartTest {
    private static final List<Placement> PLACEMENTS = List.of(Placement.SHARED, Placement.FREE);

    /** Met in one placement, missed in the other. */
    private static final List<Result> RESULTS = results(16, 32);

    private static List<Result> results(double sharedUs, double freeUs) {
        List<Result> results = new ArrayList<>(Result.of(Placement.SHARED, lookups(sharedUs)));
        results.addAll(Result.of(Placement.FREE, lookups(freeUs)));
        return results;
    }

    private static List<Figures> lookups(double crailUs) {
        return List.of(
                new Figures("lookup", "raw-tcp", "us", List.of(10.0)),
                new Figures("lookup", "crail-tcp", "us", List.of(crailUs)));
    }

    @Test
    void shouldPutPlacementsSideBySide() {
        assertThat(print(Table::figures, RESULTS))
                .containsExactly(
                        "| work | system | unit | shared | free |",
                        "| --- | --- | --- | ---: | ---: |",
                        "| lookup | raw-tcp | us | 10.0 (10.0 to 10.0) | 10.0 (10.0 to 10.0) |",
                        "| lookup | crail-tcp | us | 16.0 (16.0 to 16.0) | 32.0 (32.0 to 32.0) |");
    }

    @Test
    void shouldSayWhereATargetIsMet() {
        assertThat(print(Table::ratios, RESULTS))
                .containsExactly(
                        "| work | system | against | target | shared | free | met |",
                        "| --- | --- | --- | --- | ---: | ---: | --- |",
                        "| lookup | crail-tcp | raw-tcp | <= 1.60 | 1.60 (1.60 to 1.60) | 3.20 (3.20 to 3.20) "
                                + "| only shared |");
        assertThat(print(Table::ratios, results(1, 1)).get(2)).endsWith("| yes |");
        assertThat(print(Table::ratios, results(99, 99)).get(2)).endsWith("| **no** |");
    }

    @Test
    void shouldDrawABarForEachPlacementLeftOfTheLineIfATargetIsMissed() throws Exception {
        String svg = Chart.draw(RESULTS, PLACEMENTS);

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        NodeList titles = document.getElementsByTagName("title");
        assertThat(titles.getLength()).isEqualTo(2);
        Element shared = (Element) titles.item(0).getParentNode();
        Element free = (Element) titles.item(1).getParentNode();
        assertThat(titles.item(0).getTextContent()).isEqualTo("shared: 1.00 times the target");
        assertThat(titles.item(1).getTextContent()).isEqualTo("free: 0.50 times the target");
        assertThat(number(free, "x")).isLessThan(number(shared, "x"));
        assertThat(number(free, "x") + number(free, "width")).isEqualTo(number(shared, "x"));
    }

    @Test
    void shouldKeepBarsOnTheScaleHoweverFarATargetIsExceeded() {
        String svg = Chart.draw(results(1e-6, 1e9), PLACEMENTS);

        assertThat(svg)
                .contains("shared: 16000000.00 times")
                .doesNotContain("NaN")
                .doesNotContain("width=\"-");
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    private static List<String> print(BiConsumer<Table, List<Result>> table, List<Result> results) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.accept(new Table(new PrintStream(bytes, true, StandardCharsets.UTF_8), PLACEMENTS), results);
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
