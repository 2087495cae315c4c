/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that somebody probably meant. All methods are thread safe. */
public final class Spelling {
    private static final int MAX_DISTANCE = 2;

    private Spelling() {}

    /** The candidate with the fewest edits from {@code word} and at most two, whatever its case. */
    public static Optional<String> nearest(String word, Collection<String> candidates) {
        String best = null;
        int bestDistance = Math.min(MAX_DISTANCE, word.length() / 3) + 1;
        for (String candidate : candidates) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT), bestDistance);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The Levenshtein distance, or {@code limit} if it is at least that. */
    private static int distance(String left, String right, int limit) {
        if (Math.abs(left.length() - right.length()) >= limit) {
            return limit;
        }
        int[] previous = new int[right.length() + 1];
        int[] current = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replaced = previous[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return Math.min(previous[right.length()], limit);
    }
}
