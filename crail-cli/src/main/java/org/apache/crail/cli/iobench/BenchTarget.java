/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a test works on: makes it ready, and warms up beside it. Thread safe after {@link #prepare}. */
final class BenchTarget {
    private static final Logger LOG = LoggerFactory.getLogger(BenchTarget.class);
    private static final String WARM_UP = "warmup-";

    private final BenchOptions options;
    private final String path;

    BenchTarget(BenchOptions options, String path) {
        this.options = options;
        this.path = path;
    }

    /**
     * Creates what the test needs, and clears what it will create. What an earlier experiment of this run has created
     * is deleted; what was there before is only deleted if the user says so.
     */
    void prepare(CrailStore store, boolean first) throws Exception {
        switch (options.type().target()) {
            case NEW_FILE -> prepareFiles(store, first);
            case CONTAINER -> prepareContainer(store, CrailNodeType.DIRECTORY, first);
            case TABLE -> prepareContainer(store, CrailNodeType.TABLE, first);
            default -> {}
        }
    }

    private void prepareFiles(CrailStore store, boolean first) throws Exception {
        for (int i = 0; i < options.threads(); i++) {
            String file = ownPath(i);
            CrailNode node = store.lookup(file).get();
            if (node != null && first && !options.overwrite()) {
                throw new NodeExistsException(
                        file + " exists; name another file with -f, or add --overwrite to delete it first");
            }
            delete(store, node);
        }
    }

    private void prepareContainer(CrailStore store, CrailNodeType type, boolean first) throws Exception {
        CrailNode node = store.lookup(path).get();
        if (node != null && !node.getType().isContainer()) {
            throw new NodeTypeMismatchException(path + " is not a container; name another path with -f");
        }
        boolean clear = !first || options.overwrite();
        if (node != null && clear && type.isDirectory()) {
            for (String child : names(node)) {
                delete(store, store.lookup(child).get());
            }
        }
        if (node == null) {
            CrailNode ignored = store.create(path, type, storageClass(), CrailLocationClass.PARENT, true)
                    .get();
        }
    }

    private CrailStorageClass storageClass() {
        return CrailStorageClass.get(options.storageClass());
    }

    private static List<String> names(CrailNode container) throws Exception {
        List<String> names = new ArrayList<>();
        container.asContainer().listEntries().forEachRemaining(names::add);
        return names;
    }

    private static void delete(CrailStore store, CrailNode node) throws Exception {
        if (node != null) {
            store.delete(node.getPath(), true).get();
        }
    }

    /** Deletes the file of a thread that has failed: it may have filled the store. */
    static void discard(BenchTask task) {
        if (task.options().type().target() != BenchType.Target.NEW_FILE) {
            return;
        }
        for (String file : List.of(task.path(), aside(task))) {
            try {
                CrailNode ignored = task.store().delete(file, false).get();
            } catch (
                    Exception e) { // the API declares nothing narrower; why the test failed is what the user must learn
                LOG.warn("{} is left, as it cannot be deleted: {}", file, FailureText.line(e));
            }
        }
    }

    /** Where a file is written before the clock starts. */
    private static String aside(BenchTask task) {
        return task.path() + "." + WARM_UP + task.thread();
    }

    /** What the thread works on. */
    String path(CrailStore store, int thread) throws Exception {
        return switch (options.type().target()) {
            case NEW_FILE -> ownPath(thread);
            case EXISTING ->
                options.threads() > 1 && store.lookup(ownPath(thread)).get() != null ? ownPath(thread) : path;
            default -> path;
        };
    }

    private String ownPath(int thread) {
        return options.threads() == 1 ? path : path + "." + thread;
    }

    /** What the names begin with that the thread creates below a container: nothing for the first. */
    String prefix(int thread) {
        return thread == 0 ? "" : thread + "-";
    }

    /** Does the test without measuring it, and removes what that created. */
    static void warmUp(BenchTask task) throws Exception {
        int operations = task.options().warmup();
        BenchType type = task.options().type();
        if (operations == 0 || type.target() == BenchType.Target.NONE) {
            return;
        }
        switch (type.target()) {
            case NEW_FILE -> {
                BenchTask aside = task.on(aside(task), task.prefix());
                type.test().run(aside, operations, new Meter(operations));
                task.store().delete(aside.path(), false).get();
            }
            case CONTAINER, TABLE -> {
                BenchTask aside = task.on(task.path(), WARM_UP + task.thread() + "-");
                type.test().run(aside, operations, new Meter(operations));
                for (int i = 0; i < operations; i++) {
                    task.store().delete(aside.child(i), false).get();
                }
            }
            default -> {
                int round;
                for (int left = operations; left > 0; left -= round) { // there is only so much to read, but often
                    round = Math.min(left, task.options().loop());
                    type.test().run(task, round, new Meter(round));
                }
            }
        }
    }
}
