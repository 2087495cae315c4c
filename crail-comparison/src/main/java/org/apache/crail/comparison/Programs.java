/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Finds programs of this machine. Thread safe. */
public final class Programs {
    private Programs() {}

    /** The program of that name that the shell would run; empty if there is none. */
    public static Optional<Path> find(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Why a system that needs this program cannot run; empty if it can. */
    public static Optional<String> missing(String name, String debianPackage) {
        return find(name).isPresent()
                ? Optional.empty()
                : Optional.of(name + " is not installed (Debian: " + debianPackage + ")");
    }
}
