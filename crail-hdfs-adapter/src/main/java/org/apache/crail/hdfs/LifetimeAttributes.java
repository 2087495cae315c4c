/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.crail.internal.DurationText;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.StatusChange;
import org.apache.hadoop.fs.Path;

/**
 * The extended attributes by which users of Hadoop set and read when files go by themselves. There are no others. Their
 * values are durations as text, like 2h or 30min. Stateless.
 */
final class LifetimeAttributes {
    /** Each file goes when so much time has passed since its last close; what is created in a directory inherits it. */
    static final String EACH = "user.crail.ttl";

    /** When a file or directory goes, with all in it. */
    static final String END = "user.crail.expire";

    private LifetimeAttributes() {}

    /** What setting an attribute changes. */
    static StatusChange set(Path path, String name, byte[] value) {
        checkName(path, name);
        String text = new String(value, StandardCharsets.UTF_8);
        Duration duration;
        try {
            duration = DurationText.parse(text, ChronoUnit.SECONDS);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "the value \"" + text + "\" of " + name + " for " + path + " is no time; set 2h, 30min or 90s", e);
        }
        return change(name, duration);
    }

    /** What removing an attribute changes. */
    static StatusChange remove(Path path, String name) {
        checkName(path, name);
        return change(name, Duration.ZERO);
    }

    private static StatusChange change(String name, Duration duration) {
        return name.equals(EACH) ? StatusChange.ofTimeToLive(duration) : StatusChange.ofEnd(duration);
    }

    private static void checkName(Path path, String name) {
        if (!name.equals(EACH) && !name.equals(END)) {
            throw new UnsupportedOperationException("cannot set " + name + " of " + path + ": only " + EACH + " and "
                    + END + " are kept, by which files go by themselves");
        }
    }

    /** The attributes of a node. */
    static Map<String, byte[]> of(NodeStatus status) {
        Map<String, byte[]> attributes = new LinkedHashMap<>();
        Lifetime lifetime = status.lifetime();
        if (lifetime.timeToLiveMs() > 0) {
            attributes.put(EACH, text(lifetime.timeToLiveMs()));
        }
        if (lifetime.hasEnd()) {
            attributes.put(END, text(Math.max(1, lifetime.remainingMs()))); // nothing left would mean for ever
        }
        return attributes;
    }

    private static byte[] text(long ms) {
        return DurationText.format(Duration.ofMillis(ms)).getBytes(StandardCharsets.UTF_8);
    }
}
