/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Takes away the permissions that a configuration grants to nobody, and parses its mask only when the text has changed.
 * Thread safe.
 */
final class Umask {
    private volatile Parsed latest = parse(null);

    private record Parsed(String text, FsPermission mask) {}

    /** What is left of {@code wanted} by what the configuration says now. */
    FsPermission applyTo(FsPermission wanted, Configuration configuration) {
        String text = configuration.get(FsPermission.UMASK_LABEL);
        Parsed known = latest;
        if (!Objects.equals(known.text, text)) {
            known = parse(text);
            latest = known;
        }
        return wanted.applyUMask(known.mask);
    }

    private static Parsed parse(String text) {
        Configuration only = new Configuration(false);
        if (text != null) {
            only.set(FsPermission.UMASK_LABEL, text);
        }
        return new Parsed(text, FsPermission.getUMask(only));
    }
}
