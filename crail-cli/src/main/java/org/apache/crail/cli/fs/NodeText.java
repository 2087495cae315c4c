/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;

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

    /** The last change, to the minute. */
    static String time(CrailNode node) {
        return MINUTES.format(Instant.ofEpochMilli(node.getModificationTime()));
    }

    /** The last change, to the second. */
    static String timeSeconds(CrailNode node) {
        return SECONDS.format(Instant.ofEpochMilli(node.getModificationTime()));
    }
}
