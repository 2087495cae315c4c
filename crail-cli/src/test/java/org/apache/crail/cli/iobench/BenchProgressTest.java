/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.console.Console;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Progress ends with 100 % in tests whose rounds have several operations, too. */
class BenchProgressTest {
    private static final int ROUNDS = 4;

    private final Meter meter = new Meter(ROUNDS);

    @Test
    void shouldCountTheRoundsOfBrowsedDirectories() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.MEMORY).start()) {
            CrailStore store = cluster.newStore();
            for (String file : List.of("/1", "/2", "/3")) {
                store.create(file, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                        .get()
                        .syncDir();
            }

            NameTests.browse(task(store, "browseDir"), ROUNDS, meter);
        }

        assertThat(BenchProgress.line(List.of(meter))).startsWith("100 %, 12 operations");
    }

    @Test
    void shouldCountTheRoundsOfAllQueues() {
        LocalTests.collection(task(null, "collection"), ROUNDS, meter);

        assertThat(BenchProgress.line(List.of(meter))).startsWith("100 %, 20 operations");
    }

    private static BenchTask task(CrailStore store, String test) {
        Console console = Console.of(
                new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), new ByteArrayOutputStream(), false);
        BenchOptions options = CommandLine.populateCommand(new BenchOptions(), "-t", test);
        return new BenchTask(store, null, console, options, "/", "", 0, 0);
    }
}
