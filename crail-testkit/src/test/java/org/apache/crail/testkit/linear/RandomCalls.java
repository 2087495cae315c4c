/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import java.util.List;
import java.util.Random;
import org.apache.crail.testkit.linear.Action.Kind;

/** Draws the calls of one client of a round. Used by one thread. */
final class RandomCalls {
    /** In a block that is shared, in one block, and in two. */
    private static final int[] LENGTHS = {100, 6_000, 20_000};

    /** What a round is about, and what lies below its base. */
    enum Theme {
        /** Values of one table. */
        VALUES(Kind.TABLE, "/a /b /c"),

        /** Files and directories of one directory. */
        FILES(Kind.DIRECTORY, "/a /b /c /a/x /b/x"),

        /** Values of tables that are created, moved and removed, too. */
        TABLES(Kind.DIRECTORY, "/s /t /s/a /s/a /t/a /t/a");

        final Kind base;
        private final String paths;

        Theme(Kind base, String paths) {
            this.base = base;
            this.paths = paths;
        }

        /** Where calls go. */
        List<String> paths() {
            return List.of(paths.split(" ", -1));
        }

        /** What listings of the base show. */
        List<String> listed() {
            return paths().stream().filter(path -> path.lastIndexOf('/') == 0).toList();
        }
    }

    private final Theme theme;
    private final List<String> paths;
    private final RecordedClient client;
    private final Random random;

    RandomCalls(Theme theme, RecordedClient client, Random random) {
        this.theme = theme;
        this.paths = theme.paths();
        this.client = client;
        this.random = random;
    }

    /** Makes one. */
    void next() throws Exception {
        String path = paths.get(random.nextInt(paths.size()));
        switch (random.nextInt(20)) {
            case 0, 1 -> client.delete(path, random.nextBoolean());
            case 2, 3, 4 -> client.move(path, sibling(path), random.nextInt(3) > 0);
            case 5 -> client.list(theme.listed());
            case 6, 7, 8, 9, 10, 11 -> client.get(path);
            default -> create(path);
        }
    }

    /** A path of the same depth. */
    private String sibling(String path) {
        List<String> siblings = paths.stream()
                .filter(other -> (other.lastIndexOf('/') == 0) == (path.lastIndexOf('/') == 0))
                .toList();
        return siblings.get(random.nextInt(siblings.size()));
    }

    private void create(String path) throws Exception {
        boolean isTop = path.lastIndexOf('/') == 0;
        switch (theme) {
            case VALUES -> client.write(path, Kind.VALUE, true, lengths());
            case FILES -> {
                if (isTop && random.nextInt(3) == 0) {
                    client.createContainer(path, Kind.DIRECTORY);
                } else {
                    client.write(path, Kind.FILE, random.nextBoolean(), lengths());
                }
            }
            default -> {
                if (isTop) {
                    client.createContainer(path, Kind.TABLE);
                } else {
                    client.write(path, Kind.VALUE, true, lengths());
                }
            }
        }
    }

    /** Of the parts that are written; what comes between two is a sync. */
    private int[] lengths() {
        int length = LENGTHS[random.nextInt(LENGTHS.length)] + random.nextInt(100);
        int first = 8 + random.nextInt(length - 16);
        return random.nextInt(4) == 0 ? new int[] {first, length - first} : new int[] {length};
    }
}
