/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.crail.CrailNodeType;
import org.apache.crail.cli.console.Durations;
import org.apache.crail.metadata.Lifetime;

/** Properties of nodes as text. All methods are thread safe. */
final class NodeText {
    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private NodeText() {}

    /** The first letter of a line of -ls. */
    static char letter(CrailNodeType type) {
        return switch (type) {
            case DIRECTORY -> 'd';
            case MULTIFILE -> 'm';
            case TABLE -> 't';
            case KEYVALUE -> 'k';
            default -> '-';
        };
    }

    /**
     * The nine letters of a permission's bits; t instead of the last x, or T instead of its dash, tells the sticky bit.
     */
    static String permission(int bits) {
        char[] text = "rwxrwxrwx".toCharArray();
        for (int i = 0; i < text.length; i++) {
            if ((bits & 0400 >> i) == 0) {
                text[i] = '-';
            }
        }
        if ((bits & 01000) != 0) {
            text[8] = text[8] == 'x' ? 't' : 'T';
        }
        return new String(text);
    }

    /** The name of a user or group, which may be unknown. */
    static String name(String userOrGroup) {
        return userOrGroup.isEmpty() ? "-" : userOrGroup;
    }

    /** How long something still is there; a dash for ever. */
    static String remaining(long ms) {
        return ms == Lifetime.ENDLESS ? "-" : Durations.human(ms);
    }

    /** A time in milliseconds since 1970, to the minute. */
    static String time(long timeMs) {
        return MINUTES.format(Instant.ofEpochMilli(timeMs));
    }

    /** A time in milliseconds since 1970, to the second. */
    static String timeSeconds(long timeMs) {
        return SECONDS.format(Instant.ofEpochMilli(timeMs));
    }
}
