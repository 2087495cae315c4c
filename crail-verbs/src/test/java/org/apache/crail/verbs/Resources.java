/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this process holds: the library's objects by kind (contexts aside, which stay), file descriptors, and the
 * device's objects as the tool {@code rdma} counts them, if it is there.
 */
record Resources(List<Integer> objects, long fileDescriptors, String device) {
    private static final int CONTEXT = 3;
    private static final int KINDS = 8;
    private static final Pattern COUNT = Pattern.compile(" (?:pd|cq|qp|mr) (\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s*(\\d+) kB");

    /** Fails if there is more of anything than there was. (What others had in this process may have gone meanwhile.) */
    void assertNothingAddedTo(Resources before) {
        assertNoMore(objects, before.objects);
        assertThat(fileDescriptors).as("file descriptors").isLessThanOrEqualTo(before.fileDescriptors);
        assertNoMore(numbers(device), numbers(before.device));
    }

    static void assertNoMore(List<Integer> now, List<Integer> before) {
        assertThat(now).hasSameSizeAs(before);
        for (int i = 0; i < now.size(); i++) {
            assertThat(now.get(i)).as("%s, was %s", now, before).isLessThanOrEqualTo(before.get(i));
        }
    }

    /**
     * The device's counts without those of ids, which the kernel keeps for a while when their connections are closed.
     */
    private static List<Integer> numbers(String device) {
        List<Integer> numbers = new ArrayList<>();
        Matcher matcher = COUNT.matcher(device);
        while (matcher.find()) {
            numbers.add(Integer.parseInt(matcher.group(1)));
        }
        return numbers;
    }

    static Resources now() throws IOException, InterruptedException {
        return new Resources(objectsNow(), descriptors(), askDevice());
    }

    static List<Integer> objectsNow() {
        List<Integer> objects = new ArrayList<>();
        for (int kind = 1; kind <= KINDS; kind++) {
            objects.add(kind == CONTEXT ? 0 : VerbsNatives.objects(kind));
        }
        return objects;
    }

    /** Those that the library opens: devices, their events, and what ends waits. Others come and go with the JVM. */
    static long descriptors() throws IOException {
        long count = 0;
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : open) {
                String file = target(descriptor);
                count += file.contains("infiniband") || file.contains("[eventfd]") ? 1 : 0;
            }
        }
        return count;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // it was closed meanwhile
        }
    }

    static long residentKiB() throws IOException {
        Matcher matcher = RESIDENT.matcher(Files.readString(Path.of("/proc/self/status")));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static String askDevice() throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder("rdma", "resource", "show")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output;
        } catch (IOException e) {
            return "the tool rdma is not installed";
        }
    }
}
