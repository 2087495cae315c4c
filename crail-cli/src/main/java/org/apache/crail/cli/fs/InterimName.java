/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.file.Path;
import java.util.UUID;
import org.apache.crail.CrailPath;
import org.apache.crail.error.InvalidPathException;

/**
 * Names for files while their bytes are on their way: another one for each copy, so that copies to the same path do not
 * meet before they have ended. All methods are thread safe.
 */
final class InterimName {
    private static final String PREFIX = "._COPYING_";

    /** Shorter random names could be those of others. */
    private static final int LEAST_BYTES = 8;

    private InterimName() {}

    /**
     * A path in the directory of {@code target}; refused if the path of that is too long for a name that nobody has.
     */
    static CrailPath beside(CrailPath target) throws InvalidPathException {
        int room = CrailPath.MAX_PATH_BYTES - target.parent().utf8().length - 1;
        if (room < LEAST_BYTES) {
            throw new InvalidPathException(
                    target.parent() + " is so long that no file can be copied into it: beside the copy's"
                            + " own name there must be room for one of " + LEAST_BYTES
                            + " bytes; copy into a directory with a shorter path");
        }
        String name = random();
        return target.parent().child(name.substring(Math.max(name.length() - room, 0)));
    }

    /** A path in the directory of {@code target}. */
    static Path beside(Path target) {
        return target.resolveSibling(random());
    }

    private static String random() {
        return PREFIX + UUID.randomUUID().toString().replace("-", "");
    }
}
