/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.apache.crail.metadata.Region;

/**
 * A datanode in a process of its own: says where it is, and when asked whether it is alive, where its next region is,
 * or how much processor time it has taken.
 */
final class DatanodeMain {
    private DatanodeMain() {}

    /** Arguments: where it keeps its data; settings as key=value. */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        try (TierFixture fixture = new TierFixture(Path.of(arguments[0]));
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (int i = 1; i < arguments.length; i++) {
                String[] setting = arguments[i].split("=", 2);
                fixture.conf.set(setting[0], setting[1]);
            }
            fixture.start();
            out.println("> " + place(fixture, fixture.region));
            for (String question = in.readLine(); question != null; question = in.readLine()) {
                out.println("> " + answer(question, fixture));
            }
        }
    }

    private static String answer(String question, TierFixture fixture) throws Exception {
        return switch (question) {
            case "alive" -> Boolean.toString(fixture.server.isAlive());
            case "allocate" -> place(fixture, fixture.server.allocateRegion().orElseThrow());
            default -> Long.toString(threadTimeNs());
        };
    }

    private static String place(TierFixture fixture, Region region) {
        return fixture.server.address().getPort() + " " + region.address() + " " + region.key();
    }

    /** Of all threads but those of the virtual machine itself, which compile and collect garbage. */
    private static long threadTimeNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getAllThreadIds())
                .map(threads::getThreadCpuTime)
                .filter(time -> time > 0)
                .sum();
    }
}
