/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.function.Consumer;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.simulation.model.Model;
import org.apache.crail.simulation.network.Network;

/**
 * A program with a store of its own, which does one thing after the other, by chance, and tells the model of all of it.
 * Runs as one thread of its process.
 */
final class Client implements Runnable {
    private final SimulatedProcess process;
    private final Cluster cluster;
    private final Settings settings;
    private final Bench bench;
    private final FileProgram files;
    private final ValueProgram values;
    private final NameProgram names;
    private final BagProgram bag;
    private final Reads reads;
    private final boolean isLocal;
    private boolean ended;

    Client(
            Scheduler scheduler,
            SimulatedProcess process,
            Network network,
            Cluster cluster,
            Settings settings,
            Model model,
            History history) {
        this.process = process;
        this.cluster = cluster;
        this.settings = settings;
        this.bench = new Bench(scheduler, network, settings, model, history);
        this.reads = new Reads(bench);
        this.files = new FileProgram(bench);
        this.values = new ValueProgram(bench, reads);
        this.names = new NameProgram(bench);
        this.bag = new BagProgram(bench);
        this.isLocal = bench.random.nextBoolean();
    }

    SimulatedProcess process() {
        return process;
    }

    boolean hasEnded() {
        return ended;
    }

    String doing() {
        return bench.attempts.doing();
    }

    @Override
    public void run() {
        for (int i = 0; i < settings.operations(); i++) {
            if (bench.store == null) {
                bench.attempt("open store", this::open);
            } else {
                step();
            }
            bench.think();
        }
        files.closeAll();
        if (bench.store != null) {
            bench.attempt("close store", () -> bench.store.close());
        }
        ended = true;
    }

    private void open() throws Exception {
        bench.store = cluster.open(isLocal);
        values.createTable();
        if (settings.focus() == Focus.NAMES) {
            names.createTops();
            bag.createBag();
        }
    }

    private void step() {
        switch (settings.focus()) {
            case ONE_FILE -> workOnFiles();
            case VALUES -> oneOf(6, 1);
            case NAMES -> workOnNames();
            default -> oneOf(2, 7);
        }
    }

    private void workOnNames() {
        if (bench.random.nextInt(8) == 0) {
            bag.doSomething();
        } else {
            names.doSomething();
        }
    }

    private void oneOf(int values, int files) {
        if (bench.random.nextInt(values + files) < values) {
            workOnValues();
        } else if (bench.random.nextInt(20) == 0) {
            moveOrDelete();
        } else {
            workOnFiles();
        }
    }

    private void workOnFiles() {
        int choice = bench.random.nextInt(80);
        if (!files.hasStreams() && choice >= 28 && choice < 60) {
            choice = 27;
        }
        if (bench.handles.isEmpty() && choice >= 18) {
            choice = bench.random.nextInt(18);
        }
        if (choice < 8) {
            files.create();
        } else if (choice < 18) {
            files.lookup();
        } else if (choice < 28) {
            withHandle(files::append);
        } else if (choice < 46) {
            files.withStream(files::write);
        } else if (choice < 52) {
            files.withStream(files::sync);
        } else if (choice < 60) {
            files.withStream(files::close);
        } else {
            withHandle(reads::readSome);
        }
    }

    private void moveOrDelete() {
        if (bench.random.nextBoolean()) {
            files.delete();
        } else {
            files.move();
        }
    }

    private void workOnValues() {
        int choice = bench.random.nextInt(16);
        if (choice < 7) {
            values.put();
        } else if (choice < 14) {
            values.get();
        } else if (choice < 15) {
            withHandle(reads::readSome);
        } else {
            values.delete();
        }
    }

    private void withHandle(Consumer<Handle> use) {
        if (!bench.handles.isEmpty()) {
            use.accept(bench.handles.get(bench.random.nextInt(bench.handles.size())));
        }
    }
}
