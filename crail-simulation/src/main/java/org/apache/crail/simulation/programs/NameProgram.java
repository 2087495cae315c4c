/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.model.TreeHistory;

/**
 * Creates, moves, removes, looks up and lists nodes, and compares all answers with the model. Confined to one program.
 */
final class NameProgram {
    private static final String[] TOPS = {"/n0", "/n1"};
    private static final int CHILDREN = 12;
    private static final int GRANDCHILDREN = 2;
    private static final int LONGEST_END_MS = 20_000;

    private final Bench bench;
    private final TreeHistory tree;

    NameProgram(Bench bench) {
        this.bench = bench;
        this.tree = bench.model.tree();
    }

    private String top() {
        return TOPS[bench.random.nextInt(TOPS.length)];
    }

    /** A path below a top, seldom two steps. */
    private String path() {
        String child = top() + "/c" + bench.random.nextInt(CHILDREN);
        return bench.random.nextInt(4) == 0 ? child + "/g" + bench.random.nextInt(GRANDCHILDREN) : child;
    }

    void createTops() {
        for (String top : TOPS) {
            create(top, CrailNodeType.DIRECTORY);
        }
    }

    void doSomething() {
        int choice = bench.random.nextInt(20);
        if (choice < 1) {
            createTops();
            if (bench.random.nextInt(3) == 0) {
                expire(top());
            }
        } else if (choice < 7) {
            create(path(), bench.random.nextInt(3) == 0 ? CrailNodeType.DIRECTORY : CrailNodeType.DATAFILE);
        } else if (choice < 10) {
            remove(bench.random.nextInt(8) == 0 ? top() : path());
        } else if (choice < 13) {
            move();
        } else if (choice < 17) {
            lookUp(path());
        } else {
            list(bench.random.nextInt(4) == 0 ? path() : top());
        }
    }

    private void create(String path, CrailNodeType type) {
        boolean replaces = type == CrailNodeType.DATAFILE && bench.random.nextInt(3) == 0;
        long beginNs = bench.nowNs();
        TreeHistory.Change change = tree.place(path, type, beginNs);
        CrailNode[] made = new CrailNode[1];
        CrailException failure =
                bench.attempt("create " + path + " " + type + (replaces ? " in the place of a file" : ""), () -> {
                    made[0] = bench.store
                            .namespace()
                            .create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, null, replaces)
                            .get();
                });
        long endNs = bench.nowNs();
        if (failure == null) {
            if (!replaces) { // else it may get its place later
                change.done(endNs);
            }
            if (type == CrailNodeType.DATAFILE) {
                close(made[0], path);
            }
        } else if (!Attempts.isInDoubt(failure)) {
            change.refused();
            checkRefusal(path, failure, beginNs, endNs, replaces ? type : null);
        }
    }

    private void close(CrailNode node, String path) {
        bench.attempt(
                "close the new " + path,
                () -> node.asFile().getDirectOutputStream(0).close());
    }

    /** What a refusal says of the tree must be true. */
    private void checkRefusal(String path, CrailException failure, long beginNs, long endNs, CrailNodeType replaced) {
        boolean isTrue =
                switch (failure.code()) {
                    case NODE_EXISTS -> mayBeInTheWay(path, replaced, beginNs, endNs);
                    case NODE_NOT_FOUND ->
                        tree.mayBe(path, null, beginNs, endNs) || mayLackParent(path, beginNs, endNs);
                    case PARENT_NOT_FOUND -> mayLackParent(path, beginNs, endNs);
                    case PARENT_NOT_CONTAINER -> mayBeFileAbove(path, beginNs, endNs);
                    default -> true;
                };
        check(isTrue, failure.code() + " for " + path, path, beginNs);
    }

    private boolean mayBeInTheWay(String path, CrailNodeType replaced, long beginNs, long endNs) {
        return replaced == null
                ? tree.mayExist(path, beginNs, endNs)
                : tree.mayBe(path, CrailNodeType.DIRECTORY, beginNs, endNs);
    }

    private boolean mayLackParent(String path, long beginNs, long endNs) {
        for (String above = parent(path); !above.isEmpty(); above = parent(above)) {
            if (tree.mayBe(above, null, beginNs, endNs)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayBeFileAbove(String path, long beginNs, long endNs) {
        for (String above = parent(path); !above.isEmpty(); above = parent(above)) {
            if (tree.mayBe(above, CrailNodeType.DATAFILE, beginNs, endNs)) {
                return true;
            }
        }
        return false;
    }

    /** The paths right below one that this program uses. */
    private static List<String> childrenOf(String path) {
        boolean isTop = path.lastIndexOf('/') == 0;
        return IntStream.range(0, isTop ? CHILDREN : GRANDCHILDREN)
                .mapToObj(i -> path + (isTop ? "/c" : "/g") + i)
                .toList();
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private void check(boolean isTrue, String answer, String path, long beginNs) {
        if (!isTrue) {
            bench.history.broken(
                    Promise.NAMES,
                    answer + " between " + beginNs / 1_000_000 + " and " + bench.nowNs() / 1_000_000 + "; "
                            + tree.describe(path));
        }
    }

    private void remove(String path) {
        boolean isRecursive = bench.random.nextBoolean();
        long beginNs = bench.nowNs();
        TreeHistory.Change change = tree.remove(path, isRecursive, beginNs);
        CrailNode[] removed = new CrailNode[1];
        CrailException failure = bench.attempt(
                "remove " + path + (isRecursive ? " recursively" : ""),
                () -> removed[0] = bench.store.delete(path, isRecursive).get());
        long endNs = bench.nowNs();
        if (failure == null && removed[0] == null) {
            change.refused();
            check(
                    tree.mayBe(path, null, beginNs, endNs) || mayLackParent(path, beginNs, endNs),
                    "nothing to remove at " + path,
                    path,
                    beginNs);
        } else if (failure == null) {
            check(
                    tree.mayBe(path, removed[0].getType(), beginNs, endNs),
                    "a " + removed[0].getType() + " removed at " + path,
                    path,
                    beginNs);
            if (!isRecursive) {
                childrenOf(path)
                        .forEach(child -> check(
                                tree.mayBe(child, null, beginNs, endNs),
                                path + " removed with " + child,
                                child,
                                beginNs));
            }
            change.done(endNs);
        } else if (!Attempts.isInDoubt(failure)) {
            change.refused();
            checkRefusal(path, failure, beginNs, endNs, null);
            checkNotEmpty(path, failure, beginNs, endNs);
        }
    }

    /** Gives a tree, which nobody moves, an end. */
    private void expire(String path) {
        long remainingMs = 1L + bench.random.nextInt(LONGEST_END_MS);
        long beginNs = bench.nowNs();
        TreeHistory.Change change = tree.remove(path, true, beginNs + remainingMs * 1_000_000);
        CrailException failure = bench.attempt(
                "end " + path + " in " + remainingMs + " ms",
                () -> bench.store.expire(path, Duration.ofMillis(remainingMs)).get());
        if (failure != null && !Attempts.isInDoubt(failure)) {
            change.refused();
            checkRefusal(path, failure, beginNs, bench.nowNs(), null);
        }
    }

    private void checkNotEmpty(String path, CrailException failure, long beginNs, long endNs) {
        if (failure.code() == ErrorCode.NOT_EMPTY) {
            boolean mayHaveChild = childrenOf(path).stream().anyMatch(child -> tree.mayExist(child, beginNs, endNs));
            check(mayHaveChild, path + " is said to have children", path, beginNs);
        }
    }

    private void move() {
        String source = path();
        String target = path();
        MoveMode mode = bench.random.nextBoolean() ? MoveMode.REPLACE : MoveMode.EXACT;
        long beginNs = bench.nowNs();
        TreeHistory.Change change = tree.move(source, target, beginNs);
        CrailNode[] moved = new CrailNode[1];
        CrailException failure = bench.attempt(
                "move " + source + " to " + target + " " + mode,
                () -> moved[0] =
                        bench.store.namespace().move(source, target, mode).get());
        long endNs = bench.nowNs();
        if (failure == null) {
            CrailNodeType type = moved[0].getType();
            check(tree.mayBe(source, type, beginNs, endNs), "a " + type + " moved from " + source, source, beginNs);
            if (mode == MoveMode.EXACT && !source.equals(target)) {
                check(tree.mayBe(target, null, beginNs, endNs), "nothing was at " + target, target, beginNs);
            }
            change.done(type, endNs);
        } else if (!Attempts.isInDoubt(failure)) {
            change.refused();
            boolean isOfSource = failure.code() == ErrorCode.NODE_NOT_FOUND;
            checkRefusal(isOfSource ? source : target, failure, beginNs, endNs, null);
        }
    }

    /** Looks a node up, one way or the other. */
    void lookUp(String path) {
        boolean isStatus = bench.random.nextBoolean();
        long beginNs = bench.nowNs();
        bench.attempt((isStatus ? "status of " : "look up ") + path, () -> {
            CrailNodeType type = isStatus ? statusType(path) : lookupType(path);
            long endNs = bench.nowNs();
            boolean mayBe = tree.mayBe(path, type, beginNs, endNs);
            check(
                    mayBe || (type == null && mayLackParent(path, beginNs, endNs)),
                    (type == null ? "nothing" : "a " + type) + " found at " + path,
                    path,
                    beginNs);
        });
    }

    private CrailNodeType statusType(String path) throws Exception {
        NodeStatus status = bench.store.namespace().status(path).get();
        return status == null ? null : status.file().getType();
    }

    private CrailNodeType lookupType(String path) throws Exception {
        CrailNode node = bench.store.lookup(path).get();
        return node == null ? null : node.getType();
    }

    /** Lists a container, as its entries or as pages of status. */
    void list(String path) {
        boolean asEntries = bench.random.nextBoolean();
        long beginNs = bench.nowNs();
        CrailException failure = bench.attempt((asEntries ? "list " : "list the status of ") + path, () -> {
            List<String> listed = asEntries ? entries(path) : pages(path);
            if (listed != null) {
                checkListing(path, listed, beginNs, bench.nowNs());
            }
        });
        if (failure != null) {
            checkRefusal(path, failure, beginNs, bench.nowNs(), null);
        }
    }

    private List<String> entries(String path) throws Exception {
        CrailNode node = bench.store.lookup(path).get();
        if (node == null || !node.getType().isDirectory()) {
            return null;
        }
        List<String> listed = new ArrayList<>();
        Iterator<String> entries = node.asDirectory().listEntries();
        while (entries.hasNext()) {
            listed.add(entries.next());
        }
        return listed;
    }

    private List<String> pages(String path) throws Exception {
        List<String> listed = new ArrayList<>();
        Set<String> names = new HashSet<>();
        String after = "";
        boolean isLast = false;
        while (!isLast) {
            ChildrenPage children =
                    bench.store.namespace().children(path, after).get();
            for (NodeStatus child : children.children()) {
                listed.add(path + "/" + child.name());
                check(names.add(child.name()), child.name() + " is listed twice below " + path, path, 0);
            }
            isLast = children.isLast();
            after = isLast ? after : children.lastName();
        }
        return listed;
    }

    private void checkListing(String path, List<String> listed, long beginNs, long endNs) {
        Map<String, Integer> counts = new HashMap<>();
        listed.forEach(child -> counts.merge(child, 1, Integer::sum));
        bench.history.add("  " + path + " has " + counts.keySet());
        counts.forEach((child, count) -> {
            check(tree.mayExist(child, beginNs, endNs), child + " is listed", child, beginNs);
            check(
                    count == 1 || !tree.isUntouched(child, beginNs, endNs),
                    child + " is listed " + count + " times",
                    child,
                    beginNs);
        });
        boolean isSame = tree.isUntouched(path, beginNs, endNs);
        for (String child : childrenOf(path)) {
            boolean mayBeMissing = !isSame || counts.containsKey(child) || tree.mayBe(child, null, beginNs, endNs);
            check(mayBeMissing, child + " is not listed", child, beginNs);
        }
    }

    /** Looks at everything once more: listings, books and lookups agree with the model. */
    void lookAtAll() {
        for (String top : TOPS) {
            list(top);
            list(top);
            for (String child : childrenOf(top)) {
                lookUp(child);
                childrenOf(child).forEach(this::lookUp);
            }
        }
    }
}
