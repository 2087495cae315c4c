/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.CrailException;

/** Claims a data path in another process, which may have fewer rights. */
final class DataPathProbe {
    private DataPathProbe() {}

    /**
     * What the other process says: where it has claimed a directory, or why it cannot.
     *
     * @param prefix a command that starts the process
     */
    static String claim(List<String> prefix, Path path) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(DataPathProbe.class.getName(), path.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    public static void main(String[] args) {
        try (DataDirectory claimed = new DataPath(Path.of(args[0]), DataPathTest.KEYS).claim("some-any-1")) {
            System.out.println("claimed " + claimed.path());
        } catch (CrailException e) {
            System.out.println(e);
        }
    }
}
