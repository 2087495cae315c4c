/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What this process holds of the system.
 *
 * @param descriptors open file descriptors
 * @param threads threads, the JVM's included
 * @param residentKib memory in use
 * @param verbs objects of the verbs devices: protection domains, completion queues, queue pairs, ids, memory regions
 */
record Footprint(long descriptors, long threads, long residentKib, List<Integer> verbs) {
    private static final Pattern NUMBER = Pattern.compile("(pd|cq|qp|cm_id|mr) ([0-9]+)");

    static Footprint now() throws IOException, InterruptedException {
        System.gc();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"));
                Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return new Footprint(descriptors.count(), threads.count(), readResidentKib(), listVerbsObjects());
        }
    }

    private static long readResidentKib() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no VmRSS in /proc/self/status");
    }

    private static List<Integer> listVerbsObjects() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("rdma", "resource", "show").start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        Matcher matcher = NUMBER.matcher(text);
        return matcher.results()
                .map(result -> Integer.parseInt(result.group(2)))
                .toList();
    }
}
