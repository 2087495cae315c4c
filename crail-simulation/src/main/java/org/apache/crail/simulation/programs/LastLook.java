/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.model.Model;
import org.apache.crail.simulation.model.Session;
import org.apache.crail.simulation.network.Network;

/**
 * Looks at everything with a new store, when nothing goes wrong any more: nothing but the blocks of lost datanodes may
 * fail. Runs as a thread of a process of its own.
 */
final class LastLook implements Runnable {
    private static final String LATEST = "/latest";

    private final Cluster cluster;
    private final Settings settings;
    private final Bench bench;
    private final Reads reads;
    private final ValueProgram values;
    private long held;
    private long needed;
    private boolean ended;

    LastLook(Scheduler scheduler, Network network, Cluster cluster, Settings settings, Model model, History history) {
        this.cluster = cluster;
        this.settings = settings;
        this.bench = new Bench(scheduler, network, settings, model, history);
        this.reads = new Reads(bench);
        this.values = new ValueProgram(bench, reads);
    }

    boolean hasEnded() {
        return ended;
    }

    String doing() {
        return bench.attempts.doing();
    }

    @Override
    public void run() {
        succeed("open store", () -> bench.store = cluster.open(false));
        for (int i = 0; i < settings.files(); i++) {
            String path = "/f" + i;
            succeed("look at " + path, () -> lookAtFile(path));
        }
        for (int i = 0; i < ValueProgram.paths(settings); i++) {
            String path = ValueProgram.path(i);
            succeed("look at " + path, () -> values.lookAt(path));
        }
        new NameProgram(bench).lookAtAll();
        succeed("count blocks", () -> {
            held = cluster.heldBlocks();
            count("/");
        });
        if (held > needed) {
            bench.history.broken(Promise.GIVEN_BACK, held + " blocks are held, " + needed + " are needed");
        }
        succeed("write and read a new file", this::writeAndRead);
        succeed("close store", () -> bench.store.close());
        ended = true;
    }

    private void succeed(String what, Attempts.Action action) {
        CrailException failure = bench.attempt(what, action);
        if (failure != null && failure.code() != ErrorCode.DATANODE_LOST) {
            bench.history.broken(Promise.ENDS, what + " fails though nothing goes wrong any more: " + failure);
        }
    }

    private void lookAtFile(String path) throws Exception {
        CrailNode node = bench.store.lookup(path).get();
        if (node != null && node.getType() == CrailNodeType.DATAFILE) {
            Handle handle = new Handle(node.asFile());
            bench.model.checkCapacity(handle.fd, handle.file.getCapacity(), bench.model.leastCapacity(handle.fd));
            reads.readAll(handle, "the last look");
        }
    }

    private void writeAndRead() throws Exception {
        if (cluster.isFull()) {
            return;
        }
        Handle handle = new Handle(bench.store
                .create(LATEST, CrailNodeType.DATAFILE, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true)
                .get()
                .asFile());
        int length = Settings.MOST_BLOCKS_OF_LAST_LOOK * Settings.BLOCK_BYTES - 1;
        Session session = bench.model.open(handle.fd, 0, 0, bench.nowNs(), bench.nowNs());
        session.writing(length);
        try (CrailBufferedOutputStream out = handle.file.getBufferedOutputStream(length)) {
            out.write(session.bytes(0, length));
        }
        session.acknowledged(length);
        lookAtFile(LATEST);
    }

    private void count(String path) throws Exception {
        String after = "";
        ChildrenPage page;
        do {
            page = bench.store.namespace().children(path, after).get();
            for (NodeStatus child : page.children()) {
                if (child.file().getType().isContainer()) {
                    count(path.equals("/") ? "/" + child.name() : path + "/" + child.name());
                } else {
                    needed += blocks(child.file().getCapacity());
                }
            }
            after = page.isLast() ? after : page.lastName();
        } while (!page.isLast());
    }

    private static long blocks(long bytes) {
        return (bytes + Settings.BLOCK_BYTES - 1) / Settings.BLOCK_BYTES;
    }
}
