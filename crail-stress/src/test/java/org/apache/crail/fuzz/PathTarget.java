/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import java.nio.charset.StandardCharsets;
import org.apache.crail.CrailPath;
import org.apache.crail.error.InvalidPathException;

/** Paths, as bytes of a peer and as text of a user. Stateless. */
public final class PathTarget {
    private PathTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> {
            try {
                check(CrailPath.ofUtf8(input.clone()));
            } catch (InvalidPathException refused) {
                // and then as text
            }
            try {
                check(CrailPath.parse(new String(input, StandardCharsets.UTF_16BE)));
            } catch (InvalidPathException refused) {
                return;
            }
        });
    }

    private static void check(CrailPath path) throws InvalidPathException {
        CrailPath joined = CrailPath.ROOT;
        for (String name : path.components()) {
            CrailPath child = joined.child(name);
            if (!child.parent().equals(joined)
                    || !child.isBelow(joined)
                    || !child.name().equals(name)) {
                throw new AssertionError(name + " in " + joined + " is " + child);
            }
            joined = child;
        }
        boolean isSame = joined.equals(path)
                && CrailPath.parse(path.toString()).equals(path)
                && CrailPath.ofUtf8(path.utf8()).equals(path)
                && joined.hashCode() == path.hashCode()
                && joined.depth() == path.depth();
        if (!isSame || path.utf8().length > CrailPath.MAX_PATH_BYTES) {
            throw new AssertionError(path + " became " + joined);
        }
    }
}
