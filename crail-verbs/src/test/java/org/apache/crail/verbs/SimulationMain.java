/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes and writes a line for each test to a file: name, tab, "ok" or what went wrong with its lines
 * joined. The first argument is the file, the others are the classes.
 */
final class SimulationMain {
    private SimulationMain() {}

    public static void main(String[] arguments) throws Exception {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "true");
        for (int i = 1; i < arguments.length; i++) {
            request.selectors(selectClass(arguments[i]));
        }
        try (PrintStream results =
                new PrintStream(Files.newOutputStream(Path.of(arguments[0])), true, StandardCharsets.UTF_8)) {
            run(request.build(), results);
        }
        System.exit(0); // whatever threads are left
    }

    private static void run(LauncherDiscoveryRequest request, PrintStream results) {
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                boolean failed = result.getStatus() != TestExecutionResult.Status.SUCCESSFUL;
                if (test.isTest() || failed) {
                    results.println(test.getUniqueId() + "\t"
                            + result.getThrowable()
                                    .map(SimulationMain::onOneLine)
                                    .orElse("ok"));
                }
            }
        });
    }

    private static String onOneLine(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString().replaceAll("\\R", " | ");
    }
}
