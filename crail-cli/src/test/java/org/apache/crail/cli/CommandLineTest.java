/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.cli.console.Console;
import org.apache.crail.conf.CrailConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {
    private static CommandRun crail(String... arguments) {
        return CommandRun.of(CrailConfiguration.createEmptyConfiguration(), arguments);
    }

    /** Every command by the words that lead to it. */
    static List<List<String>> commands() {
        Console console = Console.of(
                new ByteArrayInputStream(new byte[0]),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                false);
        List<List<String>> commands = new ArrayList<>();
        collect(new CrailCommandLine(console).build(), List.of(), commands);
        return commands;
    }

    private static void collect(CommandLine command, List<String> words, List<List<String>> commands) {
        commands.add(words);
        command.getSubcommands().forEach((name, child) -> {
            List<String> more = new ArrayList<>(words);
            more.add(name);
            collect(child, more, commands);
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHelpEverywhere(List<String> words) {
        if (words.contains("help")) {
            return;
        }
        boolean human = words.stream()
                .anyMatch(word -> List.of("ls", "du", "df", "count").contains(word.replace("-", "")));
        for (String flag : human ? List.of("--help", "-help") : List.of("--help", "-h", "-help")) {
            List<String> arguments = new ArrayList<>(words);
            arguments.add(flag);
            CommandRun run = crail(arguments.toArray(new String[0])).ok();
            assertThat(run.out()).startsWith("Usage: crail").contains("--conf", "--verbose", "-D");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"iobnch", "reprt", "datanodes"})
    void shouldSuggestCommands(String word) {
        CommandRun run = crail(word);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("crail: no such command: " + word + "; did you mean ")
                .hasLineCount(1);
    }

    @Test
    void shouldSuggestFlags() {
        assertThat(crail("fs", "-lss", "/").err()).contains("did you mean -ls?");
        assertThat(crail("fs", "mkdr", "/").err()).contains("did you mean mkdir?");
        assertThat(crail("report", "--jsn").err()).contains("unknown option --jsn; did you mean --json?");
        assertThat(crail("datanode", "-p", "50021").err())
                .contains("unknown option -p; options of the tier come after --; see crail datanode --help");
        assertThat(crail("report", "--jsn").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldSayWhichCommandsThereAre() {
        CommandRun run = crail("fs", "-snapshot", "/a", "/b");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("crail fs: no such fs command: -snapshot; there are ls, find, mkdir")
                .hasLineCount(1);
        assertThat(crail("fs", "-copyFromLocl", "/a").err()).contains("did you mean -copyFromLocal?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-helpp", "-hlp", "-vlp"})
    void shouldNameWhatWasTyped(String word) {
        assertThat(crail("fs", word).err()).startsWith("crail fs: no such fs command: " + word + ";");
        assertThat(crail("fs", word).exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nosuch -h", "fs -nosuch -h", "fs -nosuch -help /", "conf nosuch --help"})
    void shouldNotHelpWithACommandThatIsNone(String line) {
        CommandRun run = crail(line.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("nosuch; there are ").hasLineCount(1);
    }

    @Test
    void shouldFindCommandsOfCommands() {
        assertThat(crail("ls", "/").err()).startsWith("crail: no such command: ls; did you mean crail fs -ls?");
        assertThat(crail("-ls", "/").err()).contains("did you mean crail fs -ls?");
        assertThat(crail("check").err()).contains("did you mean crail conf check?");
    }

    @Test
    void shouldTellItsVersionAndHelpInEveryUsualWay() {
        assertThat(crail("--version").ok().out())
                .isEqualTo(crail("version").ok().out());
        assertThat(crail("help").ok().out()).isEqualTo(crail("--help").ok().out());
        assertThat(crail("fs", "help").ok().out())
                .isEqualTo(crail("fs", "--help").ok().out());
        assertThat(crail("fs", "help", "ls").ok().out())
                .isEqualTo(crail("fs", "-ls", "--help").ok().out());
        assertThat(crail("help", "iobench").ok().out())
                .isEqualTo(crail("iobench", "--help").ok().out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "iobench -t write -k 0",
                "iobench -t write --threads x",
                "fs -put --slices 0 a /b",
                "fs -get -t 257 /a b",
                "ping -n 0",
                "namenode -p 99999",
                "mini -n -1"
            })
    void shouldNameTheRangeOfNumbers(String line) {
        CommandRun run = crail(line.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .containsPattern(": -.*\" is not a whole number from [01] to \\d+")
                .hasLineCount(1);
    }

    @Test
    void shouldSayInWordsWhatIsMissing() {
        assertThat(crail("fs", "-put", "x").err()).startsWith("crail fs put: LOCAL... PATH is missing;");
        assertThat(crail("fs", "-cat").err()).startsWith("crail fs cat: PATH is missing;");
        assertThat(crail("fsck").err()).startsWith("crail fsck: -t TYPE is missing;");
        assertThat(crail("fsck", "-t", "createDirectory").err()).startsWith("crail fsck: -f PATH is missing");
    }

    @Test
    void shouldAskForWhatIsMissing() {
        assertThat(crail().exitCode()).isEqualTo(2);
        assertThat(crail().err()).contains("a command is missing").hasLineCount(1);
        assertThat(crail("fs").exitCode()).isEqualTo(2);
        assertThat(crail("fs", "-cat").exitCode()).isEqualTo(2);
        assertThat(crail("fsck").err()).contains("-t");
        assertThat(crail("report", "extra").err()).contains("unknown argument extra");
    }

    @Test
    void shouldPrintACompletionScriptThatBashAccepts(@TempDir Path directory) throws Exception {
        Path script = Files.writeString(
                directory.resolve("completion"), crail("completion").ok().out());

        Process bash = new ProcessBuilder("bash", "-n", script.toString())
                .redirectErrorStream(true)
                .start();

        assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(bash.exitValue()).isZero();
        assertThat(script).content().contains("iobench", "--json", "copyFromLocal");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fs|-pu|-put",
                "fs|pu|put",
                "getconf|crail.buffers|crail.buffersize",
                "fs -ls|/zz|/zz1 /zz\\ 2",
                "fs -put|/zz|/zz1 /zz\\ 2",
                "fs -ls|--hu|--human",
                "-D a=b --conf f fs -ls -Dc=d|/zz|/zz3",
                "fs -D|crail.namenode.ad|crail.namenode.address=",
                "report|/zz|"
            })
    void shouldCompleteInBash(String words, String word, String expected, @TempDir Path directory) throws Exception {
        Path script = Files.writeString(
                directory.resolve("completion"), crail("completion").ok().out());
        String listing = "crail() { local IFS=' '; case \"$*\" in"
                + " 'fs -ls -C -d -- /zz*') printf '%s\\n' /zz1 '/zz 2' ;;"
                + " '-D a=b --conf f -Dc=d fs -ls -C -d -- /zz*') echo /zz3 ;; esac; }";
        String complete =
                "COMP_LINE=\"crail $1 $2\"; COMP_WORDS=(crail $1 \"$2\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                        + " _complete_crail_paths 2>/dev/null; echo \"${COMPREPLY[*]}\"";

        Process bash = new ProcessBuilder(
                        "bash", "-c", "source " + script + "; " + listing + "; " + complete, "bash", words, word)
                .redirectErrorStream(true)
                .start();

        String reply = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(reply.strip()).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void shouldLogMoreForServers() {
        assertThat(LogLevel.of(List.of("fs", "-ls"))).isEqualTo("WARN");
        assertThat(LogLevel.of(List.of("-D", "a=b", "datanode"))).isEqualTo("INFO");
        assertThat(LogLevel.of(List.of("--conf", "f", "-Da=b", "mini", "-p", "0")))
                .isEqualTo("INFO");
        assertThat(LogLevel.of(List.of("mini", "-p", "0", "fs", "-ls"))).isEqualTo("WARN");
        assertThat(LogLevel.of(List.of("fs", "-put", "datanode", "/namenode"))).isEqualTo("WARN");
        assertThat(LogLevel.of(List.of("fs", "-v", "-ls"))).isEqualTo("INFO");
    }
}
