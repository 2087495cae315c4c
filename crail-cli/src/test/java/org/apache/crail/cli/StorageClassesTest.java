/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;

/** What commands tell of a cluster with two storage classes, the second on a disk. */
class StorageClassesTest {
    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 10;

    @Test
    void shouldSayWhichClassServedWhatOfAFileInBoth() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.TCP_AND_DISK).start()) {
            CommandRun.of(cluster.configuration(), iobench("write")).ok();
            JsonNode read = new ObjectMapper()
                    .readTree(CommandRun.of(cluster.configuration(), iobench("readSequential"))
                            .ok()
                            .out())
                    .get("experiments")
                    .get(0);
            long first = read.get("bytesByClass").get("0").asLong();
            long second = read.get("bytesByClass").get("1").asLong();
            assertThat(first).isPositive();
            assertThat(second).isPositive();
            assertThat(first + second).isEqualTo((long) BLOCKS * BLOCK);

            assertThat(CommandRun.of(cluster.configuration(), "report").ok().lines())
                    .anyMatch(line -> line.matches(".* 0 +live.*"))
                    .anyMatch(line -> line.matches(".* 1 +live.*"));
        }
    }

    private static String[] iobench(String test) {
        return new String[] {
            "iobench",
            "--json",
            "-w",
            "0",
            "-t",
            test,
            "-f",
            "/f",
            "-s",
            Integer.toString(BLOCK),
            "-k",
            Integer.toString(BLOCKS),
            "-m",
            "false"
        };
    }
}
