/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.apache.crail.comparison.CloseAll;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.ServerProcess;
import org.apache.crail.comparison.Servers;

/**
 * What the process of a placement does: starts the systems, lets them do their work, round by round, and tells what
 * they have done. A system that fails takes part no more. Used by one thread.
 */
abstract class Course implements AutoCloseable {
    private static final long SEED = 42;

    private final Plan plan;
    private final Servers servers;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, String> skipped = new LinkedHashMap<>();
    private final Map<String, String> failed = new LinkedHashMap<>();
    private final Random order = new Random(SEED);

    Course(Plan plan, Servers servers) {
        this.plan = plan;
        this.servers = servers;
    }

    /** Something that a system does, and may fail at. */
    interface Attempt {
        void run() throws Exception;
    }

    /** Lets the systems do their work, and tells what they have done. */
    abstract Report report();

    /** Gets a system ready that has been started. */
    abstract void join(Peer peer) throws Exception;

    /** Forgets a system that has failed, and its figures. */
    abstract void drop(String system);

    /** All systems do all work once; rounds before the first that counts have negative numbers. */
    abstract void round(int round);

    final Plan plan() {
        return plan;
    }

    /** Starts the systems that are wanted, have something to do and are installed. */
    final void start(List<Peer> all, Predicate<Peer> hasWork) {
        for (Peer peer : all) {
            if (plan.wants(peer) && hasWork.test(peer)) {
                peer.missing().ifPresentOrElse(reason -> skip(peer, reason), () -> start(peer));
            }
        }
    }

    private void start(Peer peer) {
        say("starting " + peer.name());
        toClose(peer);
        attempt(peer.name(), () -> {
            peer.start(servers);
            join(peer);
        });
    }

    /** A system that takes no part, but has not failed. */
    final void skip(Peer peer, String reason) {
        skipped.put(peer.name(), reason);
    }

    /** What is closed in the end, before all that came earlier. */
    final void toClose(AutoCloseable resource) {
        open.add(0, resource);
    }

    /** A failing system takes part no more, and its figures are dropped; the others go on. */
    final void attempt(String system, Attempt attempt) {
        if (hasFailed(system)) {
            return;
        }
        try {
            attempt.run();
        } catch (Exception | LinkageError e) { // whatever it is, the others can go on
            if (servers.isClosed()) {
                throw new IllegalStateException("the comparison is ending", e);
            }
            say(system + " has failed and takes part no more");
            e.printStackTrace();
            failed.put(system, e.toString());
            drop(system);
        }
    }

    final boolean hasFailed(String system) {
        return failed.containsKey(system);
    }

    /** All rounds, those before the first that counts included. */
    final void rounds() {
        for (int round = -plan.warmup(); round < plan.rounds(); round++) {
            long startNs = System.nanoTime();
            round(round);
            String name = round < 0 ? "warm-up round" : "round " + (round + 1) + " of " + plan.rounds();
            say(name + " done in " + secondsSince(startNs) + " s");
        }
    }

    /**
     * Those of one work in one round, in an order of its own, which is the same in each run: none always follows the
     * same one.
     */
    final <T> List<T> shuffled(List<T> group) {
        List<T> all = new ArrayList<>(group);
        Collections.shuffle(all, order);
        return all;
    }

    final Report reportOf(List<Report.Figures> figures) {
        return new Report(figures, skipped, failed);
    }

    static long secondsSince(long startNs) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
    }

    static void say(String text) {
        System.err.println(text);
    }

    /** Closes all clients. What is wrong now does no harm to the figures. Others end the servers, afterwards. */
    @Override
    public final void close() {
        try {
            CloseAll.all(open);
        } catch (IOException e) {
            say("not everything could be closed: " + e);
        }
    }

    /**
     * Runs a plan, writes the report down and exits. Whatever ends this process but SIGKILL, also the end of its
     * standard input, makes it end the servers.
     *
     * @param json the plan
     */
    static void run(String json, BiFunction<Plan, Servers, Course> maker) {
        int status = 1;
        try {
            run(new ObjectMapper().readValue(json, Plan.class), maker);
            status = 0;
        } catch (Throwable e) { // threads of the systems would keep the process alive
            System.err.println("the comparison failed: " + e);
            e.printStackTrace();
        }
        System.exit(status);
    }

    private static void run(Plan plan, BiFunction<Plan, Servers, Course> maker) throws Exception {
        Servers servers = new Servers(Path.of(plan.directory()), plan.serverPrefix());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(servers, plan), "end-servers"));
        ServerProcess.exitWithParent();
        try (Course course = maker.apply(plan, servers)) {
            new ObjectMapper().writeValue(new File(plan.report()), course.report());
        }
    }

    private static void end(Servers servers, Plan plan) {
        try {
            servers.close();
            if (Files.notExists(Path.of(plan.report()))) { // the parent may be gone
                Files.deleteIfExists(Path.of(plan.report()).getParent());
            }
        } catch (IOException e) { // the last thing that this process does
            System.err.println("not all servers have been ended, or not all data removed: " + e);
        }
    }
}
