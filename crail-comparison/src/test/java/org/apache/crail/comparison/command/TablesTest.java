/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java libraries of Parquet and Arrow on Hadoop's file systems: what was written is read and added up; a wrong sum
 * fails.
 */
@Tag("hdfs")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class TablesTest {
    @TempDir
    private Path results;

    @TempDir
    private Path data;

    @TempDir
    private Path temporary;

    @Test
    void shouldSumUpTheSameTableOnOursOnHdfsAndInLocalFiles() throws Exception {
        Path json = results.resolve("rows.json");
        List<String> arguments = List.of(
                "--rounds=1",
                "--warmup=0",
                "--placement=free",
                "--only=sum-parquet,sum-arrow",
                "--system=crail-hadoop-tcp,hdfs,local-files",
                "--directory=" + data,
                "--json=" + json);
        try (ComparisonProcess comparison = new ComparisonProcess(temporary, arguments)) {
            assertThat(comparison.awaitEnd())
                    .as(() -> String.join("\n", comparison.lines()))
                    .isZero();
        }

        List<Map<String, Object>> rows = new ObjectMapper().readValue(json.toFile(), new TypeReference<>() {});
        assertThat(rows)
                .extracting(row -> row.get("work"), row -> row.get("system"))
                .contains(
                        tuple("sum-parquet", "crail-hadoop-tcp"),
                        tuple("sum-parquet", "hdfs"),
                        tuple("sum-parquet", "local-files"),
                        tuple("sum-arrow", "crail-hadoop-tcp"),
                        tuple("sum-arrow", "hdfs"),
                        tuple("sum-arrow", "local-files"));
    }
}
