/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidMoveException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.NotEmptyException;
import org.apache.crail.error.ParentNotContainerException;
import org.apache.crail.error.ParentNotFoundException;

/**
 * What a namespace should contain, kept in a map from path to node. Each {@code expect} method tells what an operation
 * may answer; the method beside it does to the model what a success does. Where several things are wrong at once, any
 * of them may be reported. Not thread safe.
 */
public final class NamespaceModel {
    private static final String ROOT = "";

    private final TreeMap<String, Entry> nodes = new TreeMap<>();

    /** Makes a model of an empty namespace. */
    public NamespaceModel() {
        nodes.put(ROOT, new Entry(CrailNodeType.DIRECTORY, null));
    }

    /** A node: its type and, for files and key-values, the object that may write it and the bytes written. */
    public static final class Entry {
        private final CrailNodeType type;
        private final CrailFile writer;
        private final long id = System.identityHashCode(this);
        private int length;

        private Entry(CrailNodeType type, CrailFile writer) {
            this.type = type;
            this.writer = writer;
        }

        /** The type. */
        public CrailNodeType type() {
            return type;
        }

        /** The object that created the node. */
        public CrailFile writer() {
            return writer;
        }

        /** Appends bytes; answers them. */
        public byte[] append(int count) {
            byte[] bytes = Pattern.of(id, length, count);
            length += count;
            return bytes;
        }

        /** All bytes. */
        public byte[] content() {
            return Pattern.of(id, length);
        }
    }

    /** What an operation may answer: a value, null, or one of some failures. */
    public record Expectation(boolean value, boolean none, Set<Class<? extends CrailException>> failures) {
        static final Expectation VALUE = new Expectation(true, false, Set.of());
        static final Expectation NONE = new Expectation(false, true, Set.of());
    }

    /** The node at a path, or null. */
    public Entry find(String path) {
        return nodes.get(path);
    }

    /** Paths of all nodes but the root. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>(nodes.keySet());
        paths.remove(ROOT);
        return paths;
    }

    /** The names of a container's children, in order. */
    public List<String> children(String path) {
        List<String> names = new ArrayList<>();
        for (String other : nodes.tailMap(path + "/").keySet()) {
            if (!other.startsWith(path + "/")) {
                break;
            }
            if (other.indexOf('/', path.length() + 1) < 0) {
                names.add(other.substring(path.length() + 1));
            }
        }
        return names;
    }

    /** What a creation may answer. */
    public Expectation expectCreate(String path, CrailNodeType type) {
        Set<Class<? extends CrailException>> failures = new HashSet<>();
        Entry parent = nodes.get(parentOf(path));
        if (parent == null) {
            failures.add(ParentNotFoundException.class);
            failures.add(ParentNotContainerException.class);
        } else if (!parent.type.isContainer()) {
            failures.add(ParentNotContainerException.class);
        } else if (!parent.type.canHold(type)) {
            failures.add(NodeTypeMismatchException.class);
        }
        Entry existing = nodes.get(path);
        if (existing != null && !(existing.type.isKeyValue() && type.isKeyValue())) {
            failures.add(NodeExistsException.class);
        }
        return failures.isEmpty() ? Expectation.VALUE : new Expectation(false, false, failures);
    }

    /** Creates a node. */
    public void create(String path, CrailNodeType type, CrailFile writer) {
        nodes.put(path, new Entry(type, writer));
    }

    /** What a deletion may answer. */
    public Expectation expectDelete(String path, boolean recursive) {
        if (!nodes.containsKey(path)) {
            return Expectation.NONE;
        }
        return recursive || children(path).isEmpty()
                ? Expectation.VALUE
                : new Expectation(false, false, Set.of(NotEmptyException.class));
    }

    /** Deletes a node with all below it. */
    public void delete(String path) {
        below(path).keySet().forEach(nodes::remove);
    }

    /** Where a rename leads: into a directory that exists, else to the path itself. */
    public String destination(String from, String to) {
        Entry existing = nodes.get(to);
        return existing != null && existing.type.isDirectory() ? to + from.substring(from.lastIndexOf('/')) : to;
    }

    /** What a rename may answer. */
    public Expectation expectRename(String from, String to) {
        Entry source = nodes.get(from);
        if (source == null) {
            return Expectation.NONE;
        }
        String target = destination(from, to);
        if (target.equals(from)) {
            return new Expectation(true, true, Set.of(InvalidMoveException.class));
        }
        Set<Class<? extends CrailException>> failures = new HashSet<>();
        boolean none = nodes.containsKey(target);
        if ((target + "/").startsWith(from + "/")) {
            failures.add(InvalidMoveException.class);
        }
        Entry parent = nodes.get(parentOf(target));
        if (parent == null || !parent.type.isContainer()) {
            none = true;
            failures.add(ParentNotContainerException.class);
        } else if (!parent.type.canHold(source.type)) {
            failures.add(NodeTypeMismatchException.class);
        }
        return none || !failures.isEmpty() ? new Expectation(false, none, failures) : Expectation.VALUE;
    }

    /** Renames a node with all below it. */
    public void rename(String from, String to) {
        String target = destination(from, to);
        Map<String, Entry> moved = below(from);
        moved.keySet().forEach(nodes::remove);
        moved.forEach((path, entry) -> nodes.put(target + path.substring(from.length()), entry));
    }

    private Map<String, Entry> below(String path) {
        Map<String, Entry> found = new HashMap<>();
        nodes.forEach((other, entry) -> {
            if ((other + "/").startsWith(path + "/")) {
                found.put(other, entry);
            }
        });
        return found;
    }

    private static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
