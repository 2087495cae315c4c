/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.util.List;

/** Closes several things of which any may fail. Stateless. */
public final class CloseAll {
    private CloseAll() {}

    /** Closes all, and then throws the first failure. */
    public static void all(List<? extends AutoCloseable> all) throws IOException {
        IOException failure = null;
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) { // whatever it is, the others must be closed
                failure = failure == null ? new IOException(each + " could not be closed", e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
