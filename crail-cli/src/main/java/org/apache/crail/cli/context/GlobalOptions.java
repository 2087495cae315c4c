/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that every command takes, at any place. Filled by the parser, read by one thread afterwards. */
public final class GlobalOptions {
    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            scope = ScopeType.INHERIT,
            description = "Set a configuration key, overriding files, system properties and environment; repeatable.")
    private final Map<String, String> overrides = new LinkedHashMap<>();

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Read this configuration file, not $CRAIL_HOME/conf/crail-site.conf.")
    private Path file;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Log more, and show the stack of a failure.")
    private boolean verbose;

    /** Configuration keys given on the command line, in order. */
    public Map<String, String> overrides() {
        return Collections.unmodifiableMap(overrides);
    }

    /** The configuration file, or null for the usual one. */
    public Path file() {
        return file;
    }

    /** Whether the user wants details. */
    public boolean verbose() {
        return verbose;
    }
}
