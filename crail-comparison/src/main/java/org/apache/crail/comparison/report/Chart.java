/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.crail.comparison.contest.Placement;

/**
 * Draws how far targets are exceeded or missed, as SVG: a group of bars for each, a bar for each placement, from the
 * line at which a target is just met to the right if it is exceeded and to the left if it is missed. Stateless.
 */
public final class Chart {
    private static final int LABEL_WIDTH = 400;
    private static final int PLOT_WIDTH = 440;
    private static final int MARGIN = 20;
    private static final int HEADER = 70;
    private static final int BAR = 7;
    private static final int GAP = 7;

    /** The scale goes from 1/16 of a target to 16 times a target. */
    private static final int MOST_DOUBLINGS = 4;

    private Chart() {}

    /** Draws those results that have a target. */
    public static String draw(List<Result> results, List<Placement> placements) {
        Map<String, Map<String, Result>> groups = new LinkedHashMap<>();
        for (Result result : results) {
            if (result.target() != null) {
                groups.computeIfAbsent(label(result), key -> new LinkedHashMap<>())
                        .put(result.row().placement(), result);
            }
        }
        int groupHeight = placements.size() * BAR + GAP;
        int height = HEADER + groups.size() * groupHeight + MARGIN;
        int width = LABEL_WIDTH + PLOT_WIDTH + 2 * MARGIN;
        StringBuilder svg = new StringBuilder();
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                        + "font-family=\"sans-serif\" font-size=\"11\">",
                width,
                height,
                width,
                height);
        add(svg, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
        legend(svg, placements);
        scale(svg, height - MARGIN);
        int top = HEADER;
        for (Map.Entry<String, Map<String, Result>> group : groups.entrySet()) {
            text(svg, LABEL_WIDTH, top + groupHeight / 2, "end", group.getKey());
            for (int i = 0; i < placements.size(); i++) {
                Result result = group.getValue().get(placements.get(i).toString());
                if (result != null) {
                    bar(svg, top + i * BAR, colour(placements.get(i)), result);
                }
            }
            top += groupHeight;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String label(Result result) {
        String reference = result.row().reference();
        return result.row().work() + ", " + result.row().system() + (reference == null ? "" : " against " + reference)
                + ": " + result.target();
    }

    private static void legend(StringBuilder svg, List<Placement> placements) {
        text(svg, MARGIN, MARGIN, "start", "Reached, as a multiple of the target (right of the line at 1: met)");
        int left = MARGIN;
        for (Placement placement : placements) {
            add(svg, "<rect x=\"%d\" y=\"32\" width=\"10\" height=\"10\" fill=\"%s\"/>", left, colour(placement));
            text(svg, left + 14, 41, "start", placement.toString());
            left += 80;
        }
    }

    private static void scale(StringBuilder svg, int bottom) {
        for (int doublings = -MOST_DOUBLINGS; doublings <= MOST_DOUBLINGS; doublings++) {
            double x = place(Math.pow(2, doublings));
            add(
                    svg,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>",
                    x,
                    HEADER - 6,
                    x,
                    bottom,
                    doublings == 0 ? "black" : "#dddddd");
            String label = doublings < 0 ? "1/" + (1 << -doublings) : Integer.toString(1 << doublings);
            text(svg, (int) Math.round(x), HEADER - 10, "middle", label);
        }
    }

    private static void bar(StringBuilder svg, int top, String colour, Result result) {
        double from = Math.min(place(1), place(result.factor()));
        double to = Math.max(place(1), place(result.factor()));
        add(
                svg,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s: %.2f times the "
                        + "target</title></rect>",
                from,
                top,
                Math.max(1, to - from),
                BAR - 1,
                colour,
                result.row().placement(),
                result.factor());
    }

    /** Where a multiple of the target stands; what is off the scale, at its end. */
    private static double place(double factor) {
        double doublings = Math.log(factor) / Math.log(2);
        double clipped = Math.max(-MOST_DOUBLINGS, Math.min(MOST_DOUBLINGS, doublings));
        return LABEL_WIDTH + MARGIN + PLOT_WIDTH * (clipped + MOST_DOUBLINGS) / (2.0 * MOST_DOUBLINGS);
    }

    private static String colour(Placement placement) {
        return switch (placement) {
            case SHARED -> "#0072b2";
            case SPLIT -> "#e69f00";
            case FREE -> "#009e73";
        };
    }

    private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped);
    }

    private static void add(StringBuilder svg, String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
