/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import java.util.List;
import java.util.function.Function;

/**
 * What a call asks for. Immutable.
 *
 * @param text how it is printed
 * @param paths those of the nodes that it looks at or changes
 * @param isRead whether it never changes anything
 * @param effect what it does in a state
 */
record Action(String text, List<String> paths, boolean isRead, Function<NamespaceState, Effect> effect) {

    /** What a call does in a state, and the answers that are right then. Immutable. */
    record Effect(NamespaceState next, List<String> answers) {}

    /** Creates a container, or begins a file or value, whose bytes carry {@code id}. */
    static Action create(int id, String path, Kind kind, boolean replace) {
        String verb = replace ? "put" : "create";
        return change(
                verb + " " + kind + " #" + id + " " + path,
                List.of(path),
                state -> state.create(id, path, kind, replace));
    }

    /** Makes the first bytes of what was begun visible. */
    static Action sync(int id, String path, int bytes) {
        return change("sync #" + id + " " + bytes + " bytes", List.of(path), state -> state.show(id, bytes, false));
    }

    /** What keeps the writer of what was begun from going on. */
    static Action seek(int id, String path) {
        return new Action("seek #" + id, List.of(path), true, state -> new Effect(state, state.hindrances(id)));
    }

    /** Ends what was begun. */
    static Action close(int id, String path, int bytes) {
        return change("close #" + id + " " + bytes + " bytes", List.of(path), state -> state.show(id, bytes, true));
    }

    static Action delete(String path, boolean recursive) {
        return change(
                "delete " + path + (recursive ? " recursively" : ""),
                List.of(path),
                state -> state.delete(path, recursive));
    }

    static Action move(String from, String to, boolean replace) {
        return change(
                "move " + from + " " + to + (replace ? " replacing" : ""),
                List.of(from, to),
                state -> state.move(from, to, replace));
    }

    static Action lookup(String path) {
        return read("lookup " + path, path, state -> state.lookup(path));
    }

    /** Looks up and reads all. */
    static Action get(String path) {
        return read("get " + path, path, state -> state.get(path));
    }

    /** Whether a listing shows a path. */
    static Action list(String path) {
        return read("list " + path, path, state -> state.list(path));
    }

    private static Action change(String text, List<String> paths, Function<NamespaceState, Effect> effect) {
        return new Action(text, paths, false, effect);
    }

    private static Action read(String text, String path, Function<NamespaceState, String> answer) {
        return new Action(text, List.of(path), true, state -> new Effect(state, List.of(answer.apply(state))));
    }

    /** The types of nodes. */
    enum Kind {
        DIRECTORY,
        TABLE,
        FILE,
        VALUE;

        boolean isContainer() {
            return this == DIRECTORY || this == TABLE;
        }

        boolean canHold(Kind child) {
            return this == DIRECTORY ? child != VALUE : this == TABLE && child == VALUE;
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
