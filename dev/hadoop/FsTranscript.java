/* SPDX-License-Identifier: Apache-2.0 */
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs the lines of a file that begin with "$ hadoop fs ", and prints each with what it prints, followed by its exit
 * code unless that is 0. One JVM runs all, in a second or two. Words end at blanks, and "> FILE" may come last. Usage:
 * FsTranscript FILE.
 */
final class FsTranscript {
    private static final String PROMPT = "$ hadoop fs ";

    private final Configuration conf;

    private FsTranscript(Configuration conf) {
        this.conf = conf;
    }

    public static void main(String[] arguments) throws Exception {
        FsTranscript transcript = new FsTranscript(new Configuration()); // logging has its stream now
        System.setErr(System.out);
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            if (line.startsWith(PROMPT)) {
                System.out.println(line);
                transcript.runTyped(List.of(line.substring(PROMPT.length()).split(" ")));
            }
        }
    }

    private void runTyped(List<String> words) throws Exception {
        int redirection = words.indexOf(">");
        int status = redirection < 0
                ? run(words)
                : runRedirected(words.subList(0, redirection), Path.of(words.get(redirection + 1)));
        if (status != 0) {
            System.out.println("exit code " + (status & 0xff));
        }
    }

    private int runRedirected(List<String> words, Path file) throws Exception {
        PrintStream terminal = System.out;
        try (PrintStream out = new PrintStream(Files.newOutputStream(file))) {
            System.setOut(out);
            return run(words);
        } finally {
            System.setOut(terminal);
        }
    }

    /** As the main method of the shell does it. */
    private int run(List<String> words) throws Exception {
        FsShell shell = new FsShell();
        try {
            return ToolRunner.run(new Configuration(conf), shell, words.toArray(String[]::new));
        } finally {
            shell.close();
        }
    }
}
