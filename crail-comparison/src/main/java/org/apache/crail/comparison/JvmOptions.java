/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.util.ArrayList;
import java.util.List;

/**
 * Collector and heap of all JVMs of a comparison. By itself a JVM chooses them by the processors that it may use, so
 * that they would be others in each placement. Stateless.
 */
public final class JvmOptions {
    private static final String COLLECTOR = "-XX:+UseG1GC";
    /** What Arrow needs. */
    private static final String OPENS = "--add-opens=java.base/java.nio=ALL-UNNAMED";

    private static final String CLIENT_HEAP = "2g";
    private static final String SERVER_HEAP = "512m";

    private JvmOptions() {}

    /** Options of the client, with those that users want. A heap of fixed size has all its pages from the start. */
    public static List<String> client(List<String> wanted) {
        List<String> all = complete(wanted, CLIENT_HEAP);
        all.add(0, "-XX:+AlwaysPreTouch"); // what users want comes later, and wins
        all.add(OPENS);
        return all;
    }

    /** Options of a server, with those that it wants. */
    public static List<String> server(List<String> wanted) {
        return complete(wanted, SERVER_HEAP);
    }

    private static List<String> complete(List<String> wanted, String heap) {
        List<String> all = new ArrayList<>();
        if (wanted.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w*GC"))) {
            all.add(COLLECTOR);
        }
        if (wanted.stream().noneMatch(option -> option.startsWith("-Xm"))) {
            all.addAll(List.of("-Xms" + heap, "-Xmx" + heap));
        }
        all.addAll(wanted);
        return all;
    }
}
