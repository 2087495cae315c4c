/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;

/** Which permissions nobody gets by creating something. The configuration may change at any time; it is parsed when it has. Thread safe. */
final class Umask {
    private final Configuration configuration;
    private volatile Parsed latest;

    private record Parsed(String text, FsPermission mask) {}

    Umask(Configuration configuration) {
        this.configuration = configuration;
    }

    /** What is left of {@code wanted}. */
    FsPermission applyTo(FsPermission wanted) {
        String text = configuration.get(FsPermission.UMASK_LABEL);
        Parsed known = latest;
        if (known == null || !Objects.equals(known.text, text)) {
            known = new Parsed(text, FsPermission.getUMask(configuration));
            latest = known;
        }
        return wanted.applyUMask(known.mask);
    }
}
