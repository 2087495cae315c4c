/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiFunction;

/** What the process of a placement does. Used by one thread. */
interface Course extends AutoCloseable {
    /** Starts the systems, lets them do their work, and tells what they have done. */
    Report report() throws Exception;

    /** Closes all clients. The servers are ended by others, afterwards. */
    @Override
    void close();

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
