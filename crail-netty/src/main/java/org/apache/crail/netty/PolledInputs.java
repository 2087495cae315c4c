/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What an event loop looks for in memory, which costs less than to ask the system, but for each connection. While it
 * hears from memory it asks the system now and then only. Confined to who is inside the loop.
 */
final class PolledInputs {
    /** For so many connections; further ones go without. */
    static final int MOST_INPUTS = 64;

    /** After so many looks the system is asked as well. */
    static final int MOST_IN_A_ROW = 8;

    private final List<PolledInput> inputs = new ArrayList<>();
    private int offers;
    private boolean heardLast; // the loop last heard from memory
    private int looks;
    private boolean asleep;

    boolean hasRoom() {
        return inputs.size() + offers < MOST_INPUTS;
    }

    /** Keeps a place for a connection to which memory has been offered, or gives it up. */
    void countOffer(int change) {
        offers += change;
    }

    void add(PolledInput input) {
        inputs.add(input);
    }

    void remove(PolledInput input) {
        inputs.remove(input);
        heardLast &= !inputs.isEmpty();
    }

    /** Ends all, as the loop does; one that fails does not keep the others open. */
    void end() {
        for (PolledInput input : List.copyOf(inputs)) {
            try {
                input.fail(new ClosedChannelException());
            } catch (RuntimeException | Error e) {
                SpinningEventLoop.survive(e);
            }
        }
    }

    /** Something came over a socket. */
    void forget() {
        heardLast = false;
    }

    /** Whether it is enough now to look here. */
    boolean beginLook() {
        wake();
        if (!heardLast || looks >= MOST_IN_A_ROW) {
            looks = 0;
            return false;
        }
        looks++;
        return true;
    }

    /** Takes from all that have something; whether there was anything. */
    boolean take() {
        boolean hasTaken = false;
        int i = inputs.size();
        while (--i >= 0) {
            if (ask(inputs.get(i), PolledInput::takeIfReady)) {
                hasTaken = true;
                i = Math.min(i, inputs.size()); // what ends leaves the list
            }
        }
        heardLast |= hasTaken;
        return hasTaken;
    }

    /** Has the loop woken by the next input, before it sleeps; false if there is some already, then it must not. */
    boolean fallAsleep() {
        asleep = true;
        for (int i = 0; i < inputs.size(); i++) {
            if (!ask(inputs.get(i), PolledInput::fallAsleep)) {
                return false;
            }
        }
        return true;
    }

    private void wake() {
        if (asleep) {
            asleep = false;
            for (int i = 0; i < inputs.size(); i++) {
                boolean ignored = ask(inputs.get(i), PolledInput::wake);
            }
        }
    }

    /**
     * Answers no for an input that fails: the other process has cut its memory short, which the JVM tells by an error,
     * there is no buffer, or whatever else. It alone ends.
     */
    private static boolean ask(PolledInput input, Predicate<PolledInput> question) {
        try {
            return question.test(input);
        } catch (RuntimeException | Error e) {
            input.fail(e);
            return false;
        }
    }
}
