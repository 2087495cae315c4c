/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where commands read and write: results go to {@link #out}, what is for people's eyes only to {@link #err}. Text is
 * UTF-8. All methods are thread safe.
 */
public final class Console {
    /** Set by bin/crail if standard error is a terminal; Java itself tells only of input and output. */
    static final String TERMINAL = "org.apache.crail.cli.terminal";

    /** As {@link #TERMINAL}, for standard output, of which Java tells differently from version to version. */
    static final String OUT_TERMINAL = "org.apache.crail.cli.terminal.out";

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final boolean outIsTerminal;
    private final boolean terminal;

    private Console(InputStream in, PrintStream out, PrintStream err, boolean outIsTerminal, boolean terminal) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.outIsTerminal = outIsTerminal;
        this.terminal = terminal;
    }

    /** The streams of the process. */
    public static Console system() {
        return new Console(
                new FileInputStream(FileDescriptor.in),
                print(new FileOutputStream(FileDescriptor.out)),
                print(new FileOutputStream(FileDescriptor.err)),
                Boolean.getBoolean(OUT_TERMINAL),
                Boolean.getBoolean(TERMINAL));
    }

    /** Streams that a caller gives, e.g. a test. */
    public static Console of(InputStream in, OutputStream out, OutputStream err, boolean terminal) {
        return new Console(in, print(out), print(err), terminal, terminal);
    }

    private static PrintStream print(OutputStream stream) {
        return new PrintStream(new BufferedOutputStream(stream, 1 << 16), true, StandardCharsets.UTF_8);
    }

    /** What the user pipes in. */
    public InputStream in() {
        return in;
    }

    /** Results. */
    public PrintStream out() {
        return out;
    }

    /** Results that are bytes; fails when nobody reads them any more. */
    public WritableByteChannel outChannel() {
        return new OutputChannel(out);
    }

    /** FailureText, warnings and progress. */
    public PrintStream err() {
        return err;
    }

    /** Whether a person watches {@link #err}. */
    public boolean isTerminal() {
        return terminal;
    }

    /** Writes a line of results; names in it that hold control characters do not control a terminal. */
    public void line(String text) {
        out.println(outIsTerminal ? shown(text) : text);
    }

    /** As ls shows names on a terminal. */
    private static String shown(String text) {
        return CONTROL.matcher(text).replaceAll("?");
    }

    /** Writes a line of results, formatted. */
    @FormatMethod
    public void linef(@FormatString String format, Object... arguments) {
        line(String.format(Locale.ROOT, format, arguments));
    }

    /** Writes lines about a failure. */
    public void error(String text) {
        err.println(terminal ? text.lines().map(Console::shown).collect(Collectors.joining("\n")) : text);
    }
}
