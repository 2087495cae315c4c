/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Names of local files as names in the store, and back: Java decodes names in the locale's encoding and replaces what
 * that does not have, so that names fall together. All methods are thread safe.
 */
final class LocalNames {
    private static final String ADVICE = " in the encoding of this locale, " + System.getProperty("sun.jnu.encoding")
            + "; rename it, or run with LC_ALL set to a locale that has it, such as C.UTF-8";

    private LocalNames() {}

    /** The last name of a path; fails if that does not turn back into the same bytes. */
    static String of(Path local) throws IOException {
        String name = local.getFileName().toString();
        if (!isSame(local, name)) {
            throw new IOException("the name of local file " + local + " is no text" + ADVICE);
        }
        return name;
    }

    private static boolean isSame(Path local, String name) {
        try {
            return local.getFileSystem().getPath(name).equals(local.getFileName());
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** A file with a name of the store. */
    static Path resolve(Path directory, String name) throws IOException {
        try {
            return directory.resolve(name);
        } catch (InvalidPathException e) {
            throw new IOException("no local file can have the name " + name + ADVICE, e);
        }
    }
}
