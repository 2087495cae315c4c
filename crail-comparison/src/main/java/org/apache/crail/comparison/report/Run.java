/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.benchmarks.Machine;
import org.apache.crail.comparison.JvmOptions;

/**
 * Where the figures of one call of bin/compare come from, and what did not take part.
 *
 * @param facts date, commit, machine, command and so on, by name
 * @param skipped the systems and placements that did not take part, with the reason
 * @param failed those that were to take part and could not go on, with the reason
 */
public record Run(Map<String, String> facts, Map<String, String> skipped, Map<String, String> failed) {
    /** In which bin/compare tells the state of the sources, as Java does not know it. */
    public static final String COMMIT_VARIABLE = "CRAIL_COMPARE_COMMIT";

    /** The fact that says which options the client has. */
    public static final String CLIENT_OPTIONS = "jvm options of the client";

    private static final String DATE = "date";
    private static final String PROCESSOR = "processor";

    /** A run that begins now, by such arguments; {@code commit} may be null. */
    public static Run begin(Instant now, String commit, String... arguments) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(DATE, now.atOffset(ZoneOffset.UTC).toLocalDate().toString());
        if (commit != null && !commit.isBlank()) {
            facts.put("commit", commit);
        }
        List<String> command = new ArrayList<>(List.of("bin/compare"));
        command.addAll(List.of(arguments));
        facts.putAll(Machine.describe(command));
        facts.put(CLIENT_OPTIONS, String.join(" ", JvmOptions.client(ownOptions())));
        facts.put("jvm options of servers", String.join(" ", JvmOptions.server(List.of())));
        return new Run(facts, new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** The options of this JVM. */
    public static List<String> ownOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    /** Says how long the run took. */
    public void took(Duration duration) {
        facts.put("took", duration.toMinutes() + " min " + duration.toSecondsPart() + " s");
    }

    String date() {
        return facts.get(DATE);
    }

    String processor() {
        return facts.get(PROCESSOR);
    }
}
