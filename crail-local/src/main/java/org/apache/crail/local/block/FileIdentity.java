/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.crail.internal.OwnFiles;

/**
 * Which file of this host a path leads to. On tmpfs no two files that exist have the same device and inode as a rule,
 * whichever mount namespace they are seen from. Immutable.
 */
record FileIdentity(long device, long inode) {
    /** Looks at a file, which may be a link. */
    static FileIdentity of(Path file) throws IOException {
        Map<String, Object> found = Files.readAttributes(file, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
        return new FileIdentity((long) found.get("dev"), (long) found.get("ino"));
    }

    /**
     * Opens this file, to read and write it. The caller closes it.
     *
     * @param file what led to it before
     * @throws IOException if that leads to another file now, or the file is not the user's own
     */
    FileChannel open(Path file) throws IOException {
        FileChannel channel = OwnFiles.openExisting(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean isSame = false;
        try {
            isSame = isSame(of(file));
        } finally {
            if (!isSame) {
                channel.close();
            }
        }
        if (!isSame) {
            throw new IOException(file + " became another file while it was opened");
        }
        return channel;
    }

    /** As {@link #equals}, which the JVM puts together at its first call in each client. */
    boolean isSame(FileIdentity other) {
        return device == other.device && inode == other.inode;
    }
}
