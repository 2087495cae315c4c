/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of this JVM with a jar for each directory, as users have it: a class that is loaded later needs no
 * descriptor then. Stateless.
 */
final class JarredClassPath {
    private JarredClassPath() {}

    /** Makes the jars in a directory. */
    static String in(Path work) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path classes = Path.of(entry);
            entries.add(Files.isDirectory(classes) ? jar(classes, work.resolve(entries.size() + ".jar")) : entry);
        }
        return String.join(File.pathSeparator, entries);
    }

    private static String jar(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
        return jar.toString();
    }
}
