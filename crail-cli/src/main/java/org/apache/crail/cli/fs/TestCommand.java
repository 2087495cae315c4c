/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import org.apache.crail.CrailNode;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -test}. Used by one thread. */
@Command(
        name = "test",
        aliases = "-test",
        description = "Exit with 0 if something is true of a path, else with 1; prints nothing.")
final class TestCommand extends FsSubcommand {
    @ArgGroup(multiplicity = "1")
    private Question question;

    @Parameters(paramLabel = "PATH", description = "The path.")
    private String path;

    TestCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        CrailNode node = trees.target(path).find();
        if (node == null || !question.holds(node)) {
            fail();
        }
    }

    /** One of the questions. */
    private static final class Question {
        @Option(names = "-e", description = "It exists.")
        private boolean exists;

        @Option(names = "-d", description = "It is a directory, or another container.")
        private boolean isContainer;

        @Option(names = "-f", description = "It is a file or a key-value.")
        private boolean isFile;

        @Option(names = "-s", description = "It is a file with bytes.")
        private boolean hasBytes;

        @Option(names = "-z", description = "It is a file without bytes.")
        private boolean isEmpty;

        @Option(
                names = {"-r", "-w"},
                description = "It exists: everybody may read and write.")
        private boolean isAccessible;

        boolean holds(CrailNode node) {
            boolean container = node.getType().isContainer();
            long bytes = node.getCapacity();
            return exists
                    || isAccessible
                    || (isContainer && container)
                    || (isFile && !container)
                    || (hasBytes && !container && bytes > 0)
                    || (isEmpty && !container && bytes == 0);
        }
    }
}
