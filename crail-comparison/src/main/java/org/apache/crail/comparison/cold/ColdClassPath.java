/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The class path of one system's clients, as its users have it: of the libraries of all systems those from which a
 * client has loaded a class. Jars without classes, which may hold native code, stay. What writes logs does not: that is
 * the program's choice, and costs some clients more to start than all else. Used by one thread.
 */
final class ColdClassPath {
    private static final Pattern SOURCE = Pattern.compile(".* source: (?:jar:)?(file:[^!]*)(?:!/.*)?");

    private static final String WRITES_LOGS = "logback-";

    private final List<String> all;
    private final Set<Path> used = new HashSet<>();

    /** Nothing is known to be loaded yet. */
    ColdClassPath(String all) {
        this.all = Arrays.asList(all.split(File.pathSeparator, -1));
    }

    /** Adds those that are named in what a JVM has logged with <code>-Xlog:class+load</code>. */
    void learn(Path log) throws IOException {
        for (String line : Files.readAllLines(log)) {
            Matcher source = SOURCE.matcher(line);
            if (source.matches()) {
                used.add(Path.of(URI.create(source.group(1))).toAbsolutePath().normalize());
            }
        }
    }

    /** The class path; all of it if nothing has been learnt. */
    String text() throws IOException {
        if (used.isEmpty()) {
            return String.join(File.pathSeparator, all);
        }
        Set<String> needed = new HashSet<>();
        for (String entry : all) {
            Path path = Path.of(entry).toAbsolutePath().normalize();
            boolean isNeeded = used.contains(path) || (Files.isRegularFile(path) && !hasClasses(path));
            if (isNeeded && !path.getFileName().toString().startsWith(WRITES_LOGS)) {
                needed.add(entry);
            }
        }
        return all.stream().filter(needed::contains).collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean hasClasses(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .anyMatch(entry -> entry.getName().endsWith(".class")
                            && !entry.getName().startsWith("META-INF/"));
        }
    }
}
