/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.cli.server.ServerProcess.Launch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("faults")
@Timeout(120)
class LastWordsTest extends ServersInProcesses {
    @Test
    void shouldEndTheProcessOfANamenodeWhoseChangeFailedHalfDone() throws Exception {
        Path conf = Files.write(
                work.resolve("namenode.conf"),
                settings.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .toList());
        List<String> command = Launch.USUAL.java();
        command.addAll(List.of(DoubtfulNamenode.class.getName(), conf.toString()));
        Process namenode = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        keep(namenode::destroyForcibly);
        assertThat(namenode.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(namenode.exitValue()).isEqualTo(LastWords.STATUS);
    }
}
