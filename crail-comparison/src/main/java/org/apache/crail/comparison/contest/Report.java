/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import java.util.List;
import java.util.Map;

/**
 * What the process of a placement has found.
 *
 * @param figures in the order of work, then of systems
 * @param skipped the systems that have not taken part, with the reason
 * @param failed the systems that were to take part and could not go on, with the reason
 */
public record Report(List<Figures> figures, Map<String, String> skipped, Map<String, String> failed) {
    /**
     * What one system did.
     *
     * @param rounds a figure for each round
     */
    public record Figures(String work, String system, String unit, List<Double> rounds) {}
}
