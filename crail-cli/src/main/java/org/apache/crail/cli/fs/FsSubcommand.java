/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.crail.cli.CliContext;
import org.apache.crail.cli.Console;
import org.apache.crail.cli.Failures;
import org.apache.crail.cli.OpenStore;
import org.apache.crail.conf.CrailConfiguration;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * What the commands on files have in common: an open store, and going on with the next path when one failed. Used by one
 * thread, {@link #report} by any.
 */
abstract class FsSubcommand implements Callable<Integer> {
    private final CliContext context;
    private volatile boolean failed;

    @Spec
    private CommandSpec spec;

    FsSubcommand(CliContext context) {
        this.context = context;
    }

    @Override
    public final Integer call() throws Exception {
        CrailConfiguration conf = context.configuration();
        try (OpenStore open = context.openStore(conf)) {
            run(new Tree(open.store(), conf));
        }
        return failed ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    /** Does the command's work. */
    abstract void run(Tree tree) throws Exception;

    final Console console() {
        return context.console();
    }

    final CommandSpec spec() {
        return spec;
    }

    /** Does something with each path; one that fails is reported and the others are still done. */
    final void forEach(List<String> paths, PathAction action) throws InterruptedException {
        for (String path : paths) {
            attempt(() -> action.perform(path));
        }
    }

    /** Does something; a failure is reported and makes the command exit with 1 in the end. */
    final void attempt(Step step) throws InterruptedException {
        try {
            step.perform();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // the outermost loop over what the user named; the API throws Exception
            report(e);
        }
    }

    /** Tells about a failure that the command survives. */
    final void report(Throwable failure) {
        failed = true;
        console().error(spec.qualifiedName() + ": " + Failures.line(failure));
        if (context.showsStacks()) {
            failure.printStackTrace(console().err());
        }
    }

    /** Something to do with a path. */
    interface PathAction {
        void perform(String path) throws Exception;
    }

    /** Something to do. */
    interface Step {
        void perform() throws Exception;
    }
}
