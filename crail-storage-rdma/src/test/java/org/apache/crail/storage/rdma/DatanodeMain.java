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

/** A datanode in a process of its own: says where it is, and how much processor time it has taken when asked. */
final class DatanodeMain {
    private DatanodeMain() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        try (TierFixture fixture = new TierFixture(Path.of(arguments[0]));
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            fixture.start();
            out.println("> " + fixture.server.address().getPort() + " " + fixture.region.address() + " "
                    + fixture.region.key());
            for (String question = in.readLine(); question != null; question = in.readLine()) {
                out.println("> " + ("alive".equals(question) ? fixture.server.isAlive() : threadTimeNs()));
            }
        }
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
