/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of tests in JVMs of their own, to be killed. Stateless. */
final class ClusterProcess {
    private ClusterProcess() {}

    /**
     * Starts a main class with the configuration of a cluster and waits until it ends its standard output, to say that
     * it is ready, or has failed.
     *
     * @param work where its configuration may be written
     */
    static Process start(Class<?> mainClass, MiniCluster cluster, Path work, String... arguments) throws Exception {
        return start(List.of(), mainClass, cluster, work, arguments);
    }

    /** The same with options of the JVM. */
    static Process start(
            List<String> jvmOptions, Class<?> mainClass, MiniCluster cluster, Path work, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment()
                .put("CRAIL_HOME", CompiledProgram.writeHome(cluster, work).toString());
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getInputStream().readAllBytes();
        return process;
    }
}
