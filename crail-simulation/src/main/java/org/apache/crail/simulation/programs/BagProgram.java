/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.simulation.model.BagHistory;
import org.apache.crail.simulation.model.Session;

/** Adds files to a bag, removes them, and reads all of them as one stream. Confined to one program. */
final class BagProgram {
    private static final String BAG = "/m";
    private static final int MOST_BYTES = 6_000;
    private static final int MOST_OUTSTANDING = 4;

    private final Bench bench;
    private final BagHistory bag;
    private final List<Added> added = new ArrayList<>();

    /** A file that this program has added. */
    private record Added(String path, BagHistory.Part part) {}

    BagProgram(Bench bench) {
        this.bench = bench;
        this.bag = bench.model.bag();
    }

    void doSomething() {
        int choice = bench.random.nextInt(8);
        if (choice < 4) {
            add();
        } else if (choice < 5 && !added.isEmpty()) {
            remove(added.remove(bench.random.nextInt(added.size())));
        } else {
            readAll();
        }
    }

    private CrailNode create(String path, CrailNodeType type) throws Exception {
        return bench.store
                .create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true)
                .get();
    }

    void createBag() {
        bench.attempt("create " + BAG, () -> create(BAG, CrailNodeType.MULTIFILE));
    }

    private void add() {
        String path = BAG + "/" + bag.nextName();
        int length = BagHistory.LEAST_BYTES + bench.random.nextInt(MOST_BYTES);
        Session session = bench.model.session(bench.nowNs());
        BagHistory.Part part = bag.add(session, length);
        bench.attempt("add " + path + " of " + length, () -> {
            CrailFile file = create(path, CrailNodeType.DATAFILE).asFile();
            try (CrailBufferedOutputStream out = file.getBufferedOutputStream(length)) {
                out.write(session.bytes(0, length));
            }
            part.done(bench.nowNs());
            added.add(new Added(path, part));
        });
    }

    private void remove(Added file) {
        file.part.removed(bench.nowNs());
        bench.attempt(
                "remove " + file.path,
                () -> bench.store.delete(file.path, false).get());
    }

    private void readAll() {
        String what = "read all of " + BAG;
        long beginNs = bench.nowNs();
        bench.attempt(what, () -> {
            CrailNode node = bench.store.lookup(BAG).get();
            if (node == null) {
                return;
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] buffer = new byte[Bench.MOST_BYTES];
            int outstanding = 1 + bench.random.nextInt(MOST_OUTSTANDING);
            try (CrailBufferedInputStream in = node.asMultiFile().getMultiStream(outstanding)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    all.write(buffer, 0, count);
                }
            }
            bench.model.verified(all.size());
            bag.check(what, all.toByteArray(), beginNs, bench.nowNs());
        });
    }
}
