/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lets programs see mounts that nobody else sees. Stateless. */
final class MountNamespace {
    private MountNamespace() {}

    /**
     * A command that runs another one, whose words are to follow, behind mounts of its own; skips the test where none
     * can be made.
     *
     * @param mounts commands of a shell
     * @param arguments of those, {@code $1} and so on
     */
    static List<String> with(String mounts, String... arguments) throws IOException, InterruptedException {
        String script = mounts + " && shift " + arguments.length + " && exec \"$@\"";
        String reasons = "";
        for (String namespaces : List.of("-m", "-Urm")) { // the latter for who is not root
            List<String> command = new ArrayList<>(List.of("unshare", namespaces, "sh", "-c", script, "sh"));
            command.addAll(List.of(arguments));
            String said = ProcessOutput.of(command, "echo", "mounted");
            if (said.startsWith("mounted")) {
                return command;
            }
            reasons += said;
        }
        assumeTrue(false, "nothing can be mounted for a process of its own: " + reasons);
        return List.of();
    }
}
