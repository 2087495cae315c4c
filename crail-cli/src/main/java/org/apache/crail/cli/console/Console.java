/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
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

    /** As {@link #TERMINAL}, for standard input. */
    static final String IN_TERMINAL = "org.apache.crail.cli.terminal.in";

    private static final String BROKEN_PIPE = "Broken pipe";
    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

    private final InputStream in;
    private final RememberingStream rawOut;
    private final PrintStream out;
    private final PrintStream err;
    private final boolean inIsTerminal;
    private final boolean outIsTerminal;
    private final boolean terminal;

    private Console(
            InputStream in,
            OutputStream out,
            OutputStream err,
            boolean inIsTerminal,
            boolean outIsTerminal,
            boolean terminal) {
        this.in = in;
        this.rawOut = new RememberingStream(out);
        this.out = print(rawOut);
        this.err = print(err);
        this.inIsTerminal = inIsTerminal;
        this.outIsTerminal = outIsTerminal;
        this.terminal = terminal;
    }

    /** The streams of the process. */
    public static Console system() {
        return new Console(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Boolean.getBoolean(IN_TERMINAL),
                Boolean.getBoolean(OUT_TERMINAL),
                Boolean.getBoolean(TERMINAL));
    }

    /** Streams that a caller gives, e.g. a test. */
    public static Console of(InputStream in, OutputStream out, OutputStream err, boolean terminal) {
        return new Console(in, out, err, terminal, terminal, terminal);
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
        return new OutputChannel(this);
    }

    /** Fails if results were not written, with the reason; flushes those that can be. */
    public void checkOut() throws IOException {
        if (!out.checkError()) {
            return;
        }
        IOException failure = rawOut.failure();
        String reason = failure == null ? "closed" : String.valueOf(failure.getMessage());
        throw new IOException(
                reason.contains(BROKEN_PIPE)
                        ? "standard output has been closed by whoever read it"
                        : "cannot write to standard output: " + reason,
                failure);
    }

    /** FailureText, warnings and progress. */
    public PrintStream err() {
        return err;
    }

    /** Whether a person writes to {@link #in} and watches {@link #out}. */
    public boolean isInteractive() {
        return inIsTerminal && outIsTerminal;
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
    static String shown(String text) {
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
