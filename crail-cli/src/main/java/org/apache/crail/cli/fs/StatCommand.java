/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.CliContext;
import org.apache.crail.conf.CrailKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code crail fs -stat}. Used by one thread. */
@Command(
        name = "stat",
        aliases = "-stat",
        description = {
            "Show properties of nodes.",
            "FORMAT is text with %%b bytes, %%F type, %%g group, %%n name, %%o block size, %%r copies, %%u owner,"
                    + " %%y time of change, %%Y the same in milliseconds since 1970."
        })
final class StatCommand extends FsSubcommand {
    private static final String DEFAULT_FORMAT = "%n: %F, %b bytes, block size %o, changed %y";

    @Parameters(
            paramLabel = "[FORMAT] PATH",
            arity = "1..*",
            description = "An optional format, which is told by its %%, and nodes.")
    private List<String> arguments;

    StatCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Tree tree) throws Exception {
        boolean formatted = arguments.get(0).contains("%")
                && (arguments.size() > 1 || !arguments.get(0).contains("/"));
        if (formatted && arguments.size() == 1) {
            throw new ParameterException(spec().commandLine(), "PATH is missing after the format");
        }
        String format = formatted ? arguments.get(0) : DEFAULT_FORMAT;
        forEach(arguments.subList(formatted ? 1 : 0, arguments.size()), path -> console()
                .line(format(tree, format, tree.require(path))));
    }

    private static String format(Tree tree, String format, CrailNode node) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char letter = format.charAt(i);
            if (letter == '%' && i + 1 < format.length()) {
                i++;
                text.append(property(tree, format.charAt(i), node));
            } else {
                text.append(letter);
            }
        }
        return text.toString();
    }

    private static String property(Tree tree, char letter, CrailNode node) throws IOException {
        return switch (letter) {
            case 'b' -> Long.toString(node.getType().isContainer() ? 0 : node.getCapacity());
            case 'F' -> Tree.label(node.getType());
            case 'g', 'u' -> tree.configuration().get(CrailKeys.USER);
            case 'n' -> name(node);
            case 'o' -> Long.toString(tree.configuration().get(CrailKeys.BLOCK_SIZE));
            case 'r' -> "1";
            case 'y' -> NodeText.timeSeconds(node);
            case 'Y' -> Long.toString(node.getModificationTime());
            case '%' -> "%";
            default ->
                throw new IOException(
                        "%" + letter + " is no property; use %b, %F, %g, %n, %o, %r, %u, %y, %Y, or %% for %");
        };
    }

    private static String name(CrailNode node) throws IOException {
        CrailPath path = CrailPath.parse(node.getPath());
        return path.isRoot() ? "/" : path.name();
    }
}
