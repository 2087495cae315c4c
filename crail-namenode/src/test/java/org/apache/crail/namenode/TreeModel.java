/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.TreeMap;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.MoveMode;

/** The rules again, as simply as can be: a sorted map of paths. Not thread safe. */
final class TreeModel {
    final TreeMap<String, Entry> nodes = new TreeMap<>();

    /** A node. */
    static final class Entry {
        final CrailNodeType type;
        final long fd;

        Entry(CrailNodeType type, long fd) {
            this.type = type;
            this.fd = fd;
        }
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private CrailNodeType typeOf(String path) {
        Entry entry = nodes.get(path);
        return path.isEmpty() ? CrailNodeType.DIRECTORY : entry == null ? null : entry.type;
    }

    /** Why a node cannot be put there, or null. */
    private ErrorCode checkParent(String path) {
        for (String above = parent(path); !above.isEmpty(); above = parent(above)) {
            CrailNodeType type = typeOf(above);
            if (type != null && !type.isContainer()) {
                return ErrorCode.PARENT_NOT_CONTAINER;
            }
        }
        return typeOf(parent(path)) == null ? ErrorCode.PARENT_NOT_FOUND : null;
    }

    ErrorCode canCreate(String path, CrailNodeType type) {
        ErrorCode wrong = checkParent(path);
        if (wrong != null) {
            return wrong;
        }
        if (!typeOf(parent(path)).canHold(type)) {
            return ErrorCode.NODE_TYPE_MISMATCH;
        }
        boolean isPut = type.isKeyValue() && typeOf(path) == type;
        return typeOf(path) != null && !isPut ? ErrorCode.NODE_EXISTS : null;
    }

    ErrorCode canRemove(String path, boolean recursive) {
        if (typeOf(path) == null) {
            return ErrorCode.NODE_NOT_FOUND;
        }
        return hasChildren(path) && !recursive ? ErrorCode.NOT_EMPTY : null;
    }

    void remove(String path) {
        nodes.keySet().removeIf(other -> other.equals(path) || other.startsWith(path + "/"));
    }

    String target(String from, String to, MoveMode mode) {
        boolean into = mode == MoveMode.INTO && typeOf(to) == CrailNodeType.DIRECTORY && !to.equals(from);
        return into ? to + from.substring(from.lastIndexOf('/')) : to;
    }

    ErrorCode canMove(String from, String to, MoveMode mode) {
        if (typeOf(from) == null) {
            return ErrorCode.NODE_NOT_FOUND;
        }
        String target = target(from, to, mode);
        if (target.equals(from)) {
            return null;
        }
        if (typeOf(from).isContainer() && target.startsWith(from + "/")) {
            return ErrorCode.INVALID_MOVE;
        }
        ErrorCode wrong = checkParent(target);
        if (wrong != null) {
            return wrong;
        }
        if (typeOf(target) != null && mode != MoveMode.REPLACE) {
            return ErrorCode.NODE_EXISTS;
        }
        boolean sameType = typeOf(target) == null || typeOf(target) == typeOf(from);
        if (!sameType || !typeOf(parent(target)).canHold(typeOf(from))) {
            return ErrorCode.NODE_TYPE_MISMATCH;
        }
        return hasChildren(target) ? ErrorCode.NOT_EMPTY : null;
    }

    private boolean hasChildren(String path) {
        return nodes.keySet().stream().anyMatch(other -> other.startsWith(path + "/"));
    }

    void move(String from, String to, MoveMode mode) {
        String target = target(from, to, mode);
        TreeMap<String, Entry> moved = new TreeMap<>();
        nodes.forEach((path, entry) -> {
            if (path.equals(from) || path.startsWith(from + "/")) {
                moved.put(target + path.substring(from.length()), entry);
            }
        });
        remove(from);
        nodes.putAll(moved);
    }
}
