/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.InvalidPathException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -find}. Used by one thread. */
@Command(
        name = "find",
        aliases = "-find",
        description = "Show the paths of all nodes of trees, or those that all expressions are true of.")
final class FindCommand extends FsSubcommand {
    @Option(names = "-name", paramLabel = "PATTERN", description = "The name matches a pattern.")
    private List<String> names = new ArrayList<>();

    @Option(names = "-iname", paramLabel = "PATTERN", description = "The same, whatever the case of letters.")
    private List<String> anyCaseNames = new ArrayList<>();

    @Option(names = "-print", description = "Show a path a line; it is what is done anyway.")
    @SuppressWarnings("unused") // nothing else can be done
    private boolean print;

    @Option(names = "-print0", description = "End each path with a byte 0.")
    private boolean print0;

    @Option(
            names = {"-a", "-and"},
            description = "Between expressions; all must be true anyway.")
    @SuppressWarnings("unused") // nothing else can be done
    private boolean and;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "Trees to search; / if none is named.")
    private List<String> paths = List.of("/");

    FindCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        Predicate<String> matching = matching();
        forEach(
                trees,
                paths,
                tree -> tree.walk(tree.status(), (path, status) -> {
                    if (matching.test(status.name())) {
                        show(path.toString());
                    }
                }));
        console().out().flush();
    }

    private Predicate<String> matching() throws InvalidPathException {
        Predicate<String> all = name -> true;
        for (String pattern : names) {
            all = all.and(Glob.names(pattern, false));
        }
        for (String pattern : anyCaseNames) {
            all = all.and(Glob.names(pattern, true));
        }
        return all;
    }

    private void show(String path) {
        if (print0) {
            console().out().print(path + "\0");
        } else {
            console().line(path);
        }
    }
}
