/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.crail.testkit.linear.LinearSearch.Verdict;

/**
 * The calls of several clients, to be checked. Calls on different paths are checked apart, since a history is
 * linearizable if its parts are; a move joins what it touches, and so does a change of a container with all below it.
 * Immutable.
 */
final class History {
    /** How much a search tries before it is given up. */
    private static final int POSITIONS = 200_000;

    /** The same when a refused history is made shorter, with many searches. */
    private static final int POSITIONS_OF_SHORTER = 5_000;

    private final NamespaceState initial;
    private final List<Step> steps;

    History(NamespaceState initial, Collection<Step> steps) {
        this.initial = initial;
        this.steps = steps.stream().sorted(Comparator.comparing(Step::began)).toList();
    }

    /** Whether all parts are linearizable; fails, with the calls that show it, if one is not. */
    Verdict check() {
        Verdict verdict = Verdict.LINEARIZABLE;
        for (List<Step> part : parts()) {
            Verdict ofPart = verdict(part, POSITIONS);
            if (ofPart == Verdict.REFUSED) {
                throw new AssertionError(explain(part));
            } else if (ofPart == Verdict.UNDECIDED) {
                verdict = ofPart;
            }
        }
        return verdict;
    }

    private Verdict verdict(List<Step> part, int positions) {
        return new LinearSearch(part, positions).run(initial);
    }

    private boolean isRefused(List<Step> shorter) {
        return verdict(shorter, POSITIONS_OF_SHORTER) == Verdict.REFUSED;
    }

    /** The calls, apart where they can be looked at apart. */
    List<List<Step>> parts() {
        Set<String> changed = steps.stream()
                .filter(step -> !step.action().isRead())
                .flatMap(step -> step.action().paths().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, String> joined = new HashMap<>();
        for (Step step : steps) {
            String first = step.action().paths().get(0);
            for (String path : step.action().paths()) {
                join(joined, first, path);
                for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
                    if (changed.contains(path.substring(0, end))) {
                        join(joined, path, path.substring(0, end));
                    }
                }
            }
        }
        Map<String, List<Step>> parts = new LinkedHashMap<>();
        for (Step step : steps) {
            String part = representative(joined, step.action().paths().get(0));
            parts.computeIfAbsent(part, any -> new ArrayList<>()).add(step);
        }
        return List.copyOf(parts.values());
    }

    private static void join(Map<String, String> joined, String one, String other) {
        String representative = representative(joined, one);
        if (!representative.equals(representative(joined, other))) {
            joined.put(representative(joined, other), representative);
        }
    }

    private static String representative(Map<String, String> joined, String path) {
        String next = path;
        while (joined.containsKey(next)) {
            next = joined.get(next);
        }
        return next;
    }

    private String explain(List<Step> part) {
        List<Step> least = weakened(shortest(part));
        LinearSearch search = new LinearSearch(least, POSITIONS);
        search.run(initial);
        return "not linearizable; of " + steps.size() + " calls these show it:" + lines(least, false)
                + "\nwhether these were done or not:" + lines(least, true)
                + "\nat best they lead to " + search.deepest();
    }

    private static String lines(List<Step> steps, boolean isPending) {
        return steps.stream()
                .filter(step -> step.isPending() == isPending)
                .map(step -> "\n    " + step)
                .collect(Collectors.joining());
    }

    /**
     * Only what had begun before a moment; what ends later is in doubt then. Each such part of a linearizable history
     * is linearizable.
     */
    private List<Step> shortest(List<Step> refused) {
        List<Long> ends = refused.stream().map(Step::ended).sorted().toList();
        for (long end : ends) {
            List<Step> until = refused.stream()
                    .filter(step -> step.began() < end)
                    .map(step -> step.ended() > end ? step.inDoubt() : step)
                    .filter(step -> !(step.isPending() && step.action().isRead()))
                    .toList();
            if (isRefused(until)) {
                return until;
            }
        }
        return refused;
    }

    /**
     * Forgets answers as long as what is left is refused. To forget one makes no linearizable history one that is
     * not.
     */
    private List<Step> weakened(List<Step> refused) {
        List<Step> kept = new ArrayList<>(refused);
        List<Step> readsFirst = new ArrayList<>(refused);
        readsFirst.sort(Comparator.comparing(step -> !step.action().isRead()));
        for (Step step : readsFirst) {
            int index = kept.indexOf(step);
            List<Step> without = new ArrayList<>(kept);
            without.remove(index);
            if (!step.action().isRead()) {
                without.add(index, step.inDoubt());
            }
            if (isRefused(without)) {
                kept = without;
            }
        }
        return kept;
    }
}
