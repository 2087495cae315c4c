/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import org.apache.crail.CrailFile;
import org.apache.crail.simulation.model.Session;

/** A node that a program has, and what it wrote through this very object. Confined to one program. */
final class Handle {
    final CrailFile file;
    final long fd;

    /** What was written through it; null if nothing. */
    Session own;

    Handle(CrailFile file) {
        this.file = file;
        this.fd = file.getFd();
    }

    @Override
    public String toString() {
        return file.getPath() + "#" + Long.toHexString(fd);
    }
}
