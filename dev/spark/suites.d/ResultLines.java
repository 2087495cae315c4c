/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.scalatest.Reporter;
import org.scalatest.events.Event;
import org.scalatest.events.RunAborted;
import org.scalatest.events.SuiteAborted;
import org.scalatest.events.TestCanceled;
import org.scalatest.events.TestFailed;
import org.scalatest.events.TestIgnored;
import org.scalatest.events.TestPending;
import org.scalatest.events.TestStarting;
import org.scalatest.events.TestSucceeded;

/**
 * Writes a line for each event of a test to the file that the property results names: what happened, milliseconds, the
 * test, and a message, between tabulators.
 */
public final class ResultLines implements Reporter {
    private final PrintStream lines;

    public ResultLines() throws IOException {
        lines = new PrintStream(System.getProperty("results"), StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void apply(Event event) {
        if (event instanceof TestStarting test) {
            line("started", 0, test.testName(), "");
        } else if (event instanceof TestSucceeded test) {
            line("passed", millis(test.duration()), test.testName(), "");
        } else if (event instanceof TestFailed test) {
            line("failed", millis(test.duration()), test.testName(), test.message());
        } else if (event instanceof TestCanceled test) {
            line("canceled", millis(test.duration()), test.testName(), test.message());
        } else if (event instanceof TestIgnored test) {
            line("ignored", 0, test.testName(), "");
        } else if (event instanceof TestPending test) {
            line("ignored", 0, test.testName(), "");
        } else if (event instanceof SuiteAborted suite) {
            line("failed", 0, "the suite itself", suite.message());
        } else if (event instanceof RunAborted run) {
            line("failed", 0, "the suite itself", run.message());
        }
    }

    private static long millis(scala.Option<Object> duration) {
        return duration.isDefined() ? (Long) duration.get() : 0;
    }

    private void line(String what, long millis, String test, String message) {
        lines.println(what + "\t" + millis + "\t" + oneLine(test) + "\t" + oneLine(message));
    }

    private static String oneLine(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() > 2_000 ? line.substring(0, 2_000) : line;
    }
}
