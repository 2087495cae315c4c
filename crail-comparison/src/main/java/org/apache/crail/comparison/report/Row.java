/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

/**
 * A line of the result, as it stands in JSON: what a system did, once for each reference that it is measured against.
 *
 * @param rounds how many figures median, min and max come from
 * @param reference the system of the same placement whose figure divides the one of the same round, or work/system if
 *     it is of another work; null if there is none
 * @param ratio the median of these ratios; null without a reference
 */
public record Row(
        String work,
        String system,
        String placement,
        String unit,
        double median,
        double min,
        double max,
        int rounds,
        String reference,
        Double ratio) {}
