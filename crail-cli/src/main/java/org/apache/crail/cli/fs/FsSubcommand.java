/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.Stores;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.StatusChange;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What the commands on files have in common: open stores, and going on with the next path when one failed. Used by one
 * thread, {@link #attempt} by any.
 */
abstract class FsSubcommand implements Callable<Integer> {
    private static final int SHOWN_FAILURES = 20;

    private final CliContext context;
    private final AtomicLong failures = new AtomicLong();

    @Spec
    private CommandSpec spec;

    FsSubcommand(CliContext context) {
        this.context = context;
    }

    @Override
    @SuppressWarnings("try") // the hook is only there
    public final Integer call() throws Exception {
        CrailConfiguration conf = context.configuration();
        try (ExitHook hook = new ExitHook();
                Stores stores = context.stores()) {
            run(new Trees(stores, conf));
        }
        if (failures.get() > SHOWN_FAILURES) {
            console()
                    .error(spec.qualifiedName() + ": " + (failures.get() - SHOWN_FAILURES)
                            + " more failures not shown");
        }
        return failures.get() > 0 ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    /** Does the command's work. */
    abstract void run(Trees trees) throws Exception;

    final Console console() {
        return context.console();
    }

    /** Whether the user wants details. */
    final boolean isVerbose() {
        return context.options().verbose();
    }

    final CommandSpec spec() {
        return spec;
    }

    /** The paths that texts name; a text that names none is reported. */
    final List<RemotePath> expand(Trees trees, List<String> texts) throws InterruptedException {
        List<RemotePath> paths = new ArrayList<>();
        for (String text : texts) {
            attempt(text, () -> paths.addAll(trees.expand(text)));
        }
        return paths;
    }

    /** Does something with each path that a text names; one that fails is reported and the others are still done. */
    final void forEach(Trees trees, List<String> texts, PathAction action) throws InterruptedException {
        forEach(expand(trees, texts), action);
    }

    /** Does something with each path; one that fails is reported and the others are still done. */
    final void forEach(List<RemotePath> paths, PathAction action) throws InterruptedException {
        for (RemotePath path : paths) {
            attempt(path.toString(), () -> action.perform(path));
        }
    }

    /** Changes properties of nodes. */
    final void changeEach(Trees trees, List<String> texts, boolean recursive, Function<NodeStatus, StatusChange> change)
            throws InterruptedException {
        forEach(trees, texts, named -> {
            RemotePath.Visitor set = (path, status) ->
                    attempt(path.toString(), () -> path.tree().change(path.path(), change.apply(status)));
            if (recursive) {
                named.walk(named.status(), set);
            } else {
                set.visit(named, named.status());
            }
        });
    }

    /** Lets the command exit with 1 in the end. */
    final void fail() {
        failures.incrementAndGet();
    }

    /** Does something with a file; a failure is reported and makes the command exit with 1 in the end. */
    final void attempt(String subject, Step step) throws InterruptedException {
        try {
            step.perform();
        } catch (InterruptedException e) {
            throw e;
        } catch (ParameterException | Trees.NotOpenedException e) { // no other path is worth a try
            throw e;
        } catch (Exception | OutOfMemoryError e) { // the outermost loop over what the user named
            Throwable cause = FailureText.cause(e);
            boolean isInterrupt =
                    cause instanceof ClosedByInterruptException || cause instanceof InterruptedIOException;
            if (!isInterrupt) {
                report(subject, e);
            }
            if (isInterrupt || Thread.currentThread().isInterrupted()) {
                throw (InterruptedException) new InterruptedException("interrupted at " + subject).initCause(e);
            }
        }
    }

    private void report(String subject, Throwable failure) {
        if (failures.incrementAndGet() > SHOWN_FAILURES) {
            return;
        }
        String line = FailureText.line(failure);
        console().error(spec.qualifiedName() + ": " + (isNamed(subject, line) ? "" : subject + ": ") + line);
        if (context.showsStacks()) {
            failure.printStackTrace(console().err());
        }
    }

    private static boolean isNamed(String subject, String line) {
        return Pattern.compile("(^|[\\s\"/])" + Pattern.quote(subject) + "($|[\\s\",;:])")
                .matcher(line)
                .find();
    }

    /** Something to do with a path. */
    interface PathAction {
        void perform(RemotePath path) throws Exception;
    }

    /** Something to do. */
    interface Step {
        void perform() throws Exception;
    }
}
