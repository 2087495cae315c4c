/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A process whose platform has a character set that cannot tell most names apart; it ends with 0 if they are kept. */
public final class ForeignCharset {
    private static final List<String> NAMES =
            List.of("h\u00e9llo", "\u65e5\u672c\u8a9e", "\u4e2d\u6587", "\uD83D\uDE80");

    private ForeignCharset() {}

    /** Stores names of several scripts in a cluster of its own, lists them and reads them back. */
    public static void main(String[] args) throws Exception {
        if (!Charset.defaultCharset().equals(StandardCharsets.ISO_8859_1)) {
            throw new AssertionError("the platform's character set is " + Charset.defaultCharset());
        }
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            TestClient client = new TestClient(cluster.newStore());
            for (int i = 0; i < NAMES.size(); i++) {
                client.write("/" + NAMES.get(i), Pattern.of(i, 100));
            }
            List<String> listed = client.list("/");
            if (!listed.equals(NAMES.stream().sorted().toList())) {
                throw new AssertionError("listed: " + listed);
            }
            for (int i = 0; i < NAMES.size(); i++) {
                Pattern.verify(i, 0, client.read("/" + NAMES.get(i)));
            }
            cluster.checkBlocks();
        }
    }
}
