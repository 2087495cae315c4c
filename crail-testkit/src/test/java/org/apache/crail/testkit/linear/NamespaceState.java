/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import static org.apache.crail.error.ErrorCode.INVALID_MOVE;
import static org.apache.crail.error.ErrorCode.NODE_EXISTS;
import static org.apache.crail.error.ErrorCode.NODE_NOT_FOUND;
import static org.apache.crail.error.ErrorCode.NODE_TYPE_MISMATCH;
import static org.apache.crail.error.ErrorCode.NOT_EMPTY;
import static org.apache.crail.error.ErrorCode.PARENT_NOT_CONTAINER;
import static org.apache.crail.error.ErrorCode.PARENT_NOT_FOUND;
import static org.apache.crail.error.ErrorCode.STALE_NODE;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.testkit.linear.Action.Effect;
import org.apache.crail.testkit.linear.Action.Kind;

/**
 * What a namespace holds, and what each call does to it and answers if calls come one after the other. Nodes are told
 * apart by the number of the call that created them. Immutable.
 */
final class NamespaceState {
    static final String OK = "ok";
    static final String NONE = "none";
    static final String LISTED = "listed";

    private static final int ROOT = 0;

    /** Nodes by their places. */
    private final Map<Place, Node> nodes;

    /** What is being written and has no place, by number. */
    private final Map<Integer, Begun> begun;

    private record Place(int parent, String name) {}

    private record Begun(Place place, Kind kind) {}

    private record Node(int id, Kind kind, int bytes, boolean isOpen) {
        /** Whether it goes on without its place when another node takes that. */
        boolean comesBack() {
            return kind == Kind.VALUE && isOpen;
        }
    }

    private NamespaceState(Map<Place, Node> nodes, Map<Integer, Begun> begun) {
        this.nodes = nodes;
        this.begun = begun;
    }

    /** Nothing below a root of this kind. */
    static NamespaceState empty(Kind root) {
        return new NamespaceState(Map.of(new Place(-1, ""), new Node(ROOT, root, 0, false)), Map.of());
    }

    private static Effect answer(NamespaceState next, String answer) {
        return new Effect(next, List.of(answer));
    }

    private Effect refuse(ErrorCode... codes) {
        List<String> names = new ArrayList<>();
        for (ErrorCode code : codes) {
            names.add(code.name());
        }
        return new Effect(this, names);
    }

    private Node root() {
        return nodes.get(new Place(-1, ""));
    }

    private Node find(String path) {
        Node node = root();
        for (String name : path.substring(1).split("/", -1)) {
            node = node == null ? null : nodes.get(new Place(node.id, name));
        }
        return node;
    }

    private Node parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash == 0 ? root() : find(path.substring(0, slash));
    }

    private static Place place(Node parent, String path) {
        return new Place(parent.id, path.substring(path.lastIndexOf('/') + 1));
    }

    Effect create(int id, String path, Kind kind, boolean replace) {
        Node parent = parentOf(path);
        if (parent == null) {
            return refuse(PARENT_NOT_FOUND, PARENT_NOT_CONTAINER);
        } else if (!parent.kind.canHold(kind)) {
            return refuse(parent.kind.isContainer() ? NODE_TYPE_MISMATCH : PARENT_NOT_CONTAINER);
        }
        Place place = place(parent, path);
        Node there = nodes.get(place);
        if (there == null) {
            return answer(with(place, new Node(id, kind, 0, !kind.isContainer())), OK);
        }
        boolean mayReplace = replace && there.kind == kind && !kind.isContainer();
        return mayReplace ? answer(without(id, new Begun(place, kind)), OK) : refuse(NODE_EXISTS);
    }

    Effect show(int id, int bytes, boolean isEnd) {
        for (Map.Entry<Place, Node> entry : nodes.entrySet()) {
            Node node = entry.getValue();
            if (node.id == id && node.isOpen) {
                return answer(with(entry.getKey(), new Node(id, node.kind, bytes, !isEnd)), OK);
            }
        }
        Begun node = begun.get(id);
        if (node == null) {
            return refuse(STALE_NODE);
        }
        Node there = nodes.get(node.place);
        if (there != null && there.kind != node.kind) {
            return new Effect(isEnd ? without(id, null) : this, List.of(NODE_EXISTS.name()));
        }
        NamespaceState next = without(id, null).with(node.place, new Node(id, node.kind, bytes, !isEnd));
        return answer(
                there != null && there.comesBack() ? next.without(there.id, new Begun(node.place, node.kind)) : next,
                OK);
    }

    Effect delete(String path, boolean recursive) {
        Node node = find(path);
        if (node == null) {
            return answer(this, NONE);
        } else if (!recursive && hasChildren(node)) {
            return refuse(NOT_EMPTY);
        }
        return answer(removed(place(parentOf(path), path), node), OK);
    }

    Effect move(String from, String to, boolean replace) {
        Node node = find(from);
        if (node == null) {
            return refuse(NODE_NOT_FOUND);
        } else if (from.equals(to)) {
            return answer(this, OK);
        } else if (to.startsWith(from + "/") && node.kind.isContainer()) {
            return refuse(INVALID_MOVE);
        }
        Node parent = parentOf(to);
        if (parent == null || !parent.kind.isContainer()) {
            return refuse(PARENT_NOT_FOUND, PARENT_NOT_CONTAINER);
        }
        Node there = find(to);
        if (there != null && !replace) {
            return refuse(NODE_EXISTS);
        } else if (!parent.kind.canHold(node.kind) || (there != null && there.kind != node.kind)) {
            return refuse(NODE_TYPE_MISMATCH);
        } else if (there != null && hasChildren(there)) {
            return refuse(NOT_EMPTY);
        }
        NamespaceState left = there == null ? this : removed(place(parent, to), there);
        Map<Place, Node> changed = new HashMap<>(left.nodes);
        changed.remove(place(parentOf(from), from));
        changed.put(place(parent, to), node);
        return answer(new NamespaceState(changed, left.begun), OK);
    }

    /** What may keep a writer from going on. */
    List<String> hindrances(int id) {
        return show(id, 1, true).answers();
    }

    String lookup(String path) {
        Node node = find(path);
        return node == null ? NONE : seen(node.kind, node.bytes);
    }

    /** How a lookup's answer is told. */
    static String seen(Kind kind, int bytes) {
        return kind.isContainer() ? kind.name() : kind + " of " + bytes + " bytes";
    }

    String get(String path) {
        Node node = find(path);
        return node == null ? NONE : node.kind.isContainer() ? node.kind.name() : content(node.id, node.bytes);
    }

    /** How bytes that were read are told. */
    static String content(int id, int bytes) {
        return bytes == 0 ? "empty" : bytes + " bytes of #" + id;
    }

    String list(String path) {
        return find(path) == null ? NONE : LISTED;
    }

    private boolean hasChildren(Node node) {
        return nodes.keySet().stream().anyMatch(place -> place.parent == node.id);
    }

    private NamespaceState with(Place place, Node node) {
        Map<Place, Node> changed = new HashMap<>(nodes);
        changed.put(place, node);
        return new NamespaceState(changed, begun);
    }

    /** With a node that is being written without a place; null: not any more. */
    private NamespaceState without(int id, Begun node) {
        Map<Integer, Begun> changed = new HashMap<>(begun);
        if (node == null) {
            changed.remove(id);
        } else {
            changed.put(id, node);
        }
        return new NamespaceState(nodes, changed);
    }

    /** Without a node, all below it, and what would get a place there. */
    private NamespaceState removed(Place place, Node node) {
        Map<Place, Node> left = new HashMap<>(nodes);
        left.remove(place);
        Map<Integer, Begun> leftBegun = new HashMap<>(begun);
        leftBegun.values().removeIf(each -> each.place.parent == node.id);
        NamespaceState next = new NamespaceState(left, leftBegun);
        for (Map.Entry<Place, Node> entry : nodes.entrySet()) {
            if (entry.getKey().parent == node.id) {
                next = next.removed(entry.getKey(), entry.getValue());
            }
        }
        return next;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamespaceState state && state.nodes.equals(nodes) && state.begun.equals(begun);
    }

    @Override
    public int hashCode() {
        return Objects.hash(nodes, begun);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        write(text, "", root());
        begun.forEach((id, node) -> text.append("begun #").append(id).append(' '));
        return text.isEmpty() ? "nothing" : text.toString().strip();
    }

    private void write(StringBuilder text, String path, Node container) {
        nodes.forEach((place, node) -> {
            if (place.parent == container.id) {
                String below = path + "/" + place.name;
                text.append(below)
                        .append(": ")
                        .append(node.kind.isContainer() ? node.kind : content(node.id, node.bytes));
                text.append("; ");
                write(text, below, node);
            }
        });
    }
}
