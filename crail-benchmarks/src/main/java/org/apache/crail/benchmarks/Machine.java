/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says where figures come from. Stateless. */
public final class Machine {
    private Machine() {}

    /** Processor, memory, system, JVM and its options, how busy the machine is, and the command. */
    public static Map<String, String> describe(List<String> command) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        Runtime runtime = Runtime.getRuntime();
        facts.put("processor", runtime.availableProcessors() + " x " + processor());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            facts.put("memory", (system.getTotalMemorySize() >> 30) + " GiB");
        }
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put(
                "jvm options",
                String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        facts.put("load average of the last minute", Double.toString(load()));
        facts.put("command", String.join(" ", command));
        return facts;
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static String processor() throws IOException {
        Path cpuinfo = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(cpuinfo)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(cpuinfo).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }
}
