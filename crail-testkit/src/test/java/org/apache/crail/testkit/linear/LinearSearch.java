/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.testkit.linear.Action.Effect;

/**
 * Searches for an order of a history's calls in which each gives its answer, and which no two calls contradict of which
 * one ended before the other began: Wing and Gong, "Testing and verifying concurrent objects" (1993). What has been
 * tried is remembered by calls that are done and state, as Lowe does it in "Testing for linearizability" (2017). Used
 * by one thread, once.
 */
final class LinearSearch {
    /** What a search finds. */
    enum Verdict {
        LINEARIZABLE,
        REFUSED,
        /** The search has been given up. */
        UNDECIDED
    }

    private final List<Step> steps;
    private final int limit;
    private final BitSet done = new BitSet();
    private final Set<Tried> tried = new HashSet<>();
    private int left;
    private int leastLeft;
    private String deepest = "";

    private record Tried(BitSet done, NamespaceState state) {}

    /** For the calls of a history, in any order; gives up after so many different positions. */
    LinearSearch(List<Step> history, int limit) {
        this.steps = history.stream().sorted(Comparator.comparing(Step::began)).toList();
        this.limit = limit;
        this.left = (int) steps.stream().filter(step -> !step.isPending()).count();
        this.leastLeft = left + 1;
    }

    Verdict run(NamespaceState initial) {
        if (search(initial)) {
            return Verdict.LINEARIZABLE;
        }
        return tried.size() > limit ? Verdict.UNDECIDED : Verdict.REFUSED;
    }

    /** How far the search has come at best, if it has found nothing. */
    String deepest() {
        return deepest;
    }

    private boolean search(NamespaceState state) {
        if (left == 0) {
            return true;
        } else if (tried.size() > limit || !tried.add(new Tried((BitSet) done.clone(), state))) {
            return false;
        }
        long horizon = firstEnd();
        note(state, horizon);
        int harmless = harmless(state, horizon);
        if (harmless >= 0) { // to do it now spoils nothing
            return take(harmless, state);
        }
        for (int i = done.nextClearBit(0); isCandidate(i, horizon); i = done.nextClearBit(i + 1)) {
            Step step = steps.get(i);
            Effect effect = step.action().effect().apply(state);
            boolean isRight = step.isPending() || effect.answers().contains(step.answer());
            if (isRight && !effect.next().equals(state) && take(i, effect.next())) {
                return true;
            }
        }
        return false;
    }

    /** What ended before another call began has its place before that. */
    private boolean isCandidate(int index, long horizon) {
        return index < steps.size() && steps.get(index).began() < horizon;
    }

    private long firstEnd() {
        long first = Step.NEVER;
        for (int i = done.nextClearBit(0); isCandidate(i, first); i = done.nextClearBit(i + 1)) {
            first = Math.min(first, steps.get(i).ended());
        }
        return first;
    }

    /** A call that may be next, has ended, is right, and changes nothing; negative if there is none. */
    private int harmless(NamespaceState state, long horizon) {
        for (int i = done.nextClearBit(0); isCandidate(i, horizon); i = done.nextClearBit(i + 1)) {
            Step step = steps.get(i);
            Effect effect = step.action().effect().apply(state);
            if (!step.isPending()
                    && effect.answers().contains(step.answer())
                    && effect.next().equals(state)) {
                return i;
            }
        }
        return -1;
    }

    private boolean take(int index, NamespaceState next) {
        int ended = steps.get(index).isPending() ? 0 : 1;
        done.set(index);
        left -= ended;
        boolean found = search(next);
        left += ended;
        done.clear(index);
        return found;
    }

    private void note(NamespaceState state, long horizon) {
        if (left < leastLeft) {
            leastLeft = left;
            StringBuilder text = new StringBuilder(state + ", where none of these can be next:");
            for (int i = done.nextClearBit(0); isCandidate(i, horizon); i = done.nextClearBit(i + 1)) {
                if (!steps.get(i).isPending()) {
                    text.append("\n    ").append(steps.get(i));
                }
            }
            deepest = text.toString();
        }
    }
}
