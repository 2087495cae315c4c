/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code crail fs -stat}. Used by one thread. */
@Command(
        name = "stat",
        aliases = "-stat",
        description = {
            "Show properties of nodes.",
            "FORMAT is text with %%a permission in octal, %%A the same in letters, %%b bytes, %%e time until the node"
                    + " goes, %%F type, %%g group, %%n name, %%o block size, %%r copies, %%t time to live, %%u owner,"
                    + " %%y time of change, %%Y the same in milliseconds since 1970."
        })
final class StatCommand extends FsSubcommand {
    private static final String DEFAULT_FORMAT = "%n: %F, %b bytes, block size %o, changed %y";
    private static final String DEFAULT_FORMAT_OF_LIMITED = DEFAULT_FORMAT + ", goes in %e, time to live %t";

    @Parameters(
            paramLabel = "[FORMAT] PATH",
            arity = "1..*",
            description = "An optional format, which is told by its %%, and nodes.")
    private List<String> arguments;

    StatCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        boolean formatted = arguments.get(0).contains("%")
                && (arguments.size() > 1 || !arguments.get(0).contains("/"));
        if (formatted && arguments.size() == 1) {
            throw new ParameterException(spec().commandLine(), "PATH is missing after the format");
        }
        String format = formatted ? arguments.get(0) : null;
        forEach(trees, arguments.subList(formatted ? 1 : 0, arguments.size()), path -> console()
                .line(format(format, path.status(), path.tree())));
    }

    private static String defaultFormat(NodeStatus status) {
        return status.lifetime().equals(Lifetime.UNLIMITED) ? DEFAULT_FORMAT : DEFAULT_FORMAT_OF_LIMITED;
    }

    private static String format(String wanted, NodeStatus status, NamespaceTree tree) throws Exception {
        String format = wanted == null ? defaultFormat(status) : wanted;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char letter = format.charAt(i);
            if (letter == '%' && i + 1 < format.length()) {
                i++;
                text.append(property(format.charAt(i), status, tree));
            } else {
                text.append(letter);
            }
        }
        return text.toString();
    }

    private static String property(char letter, NodeStatus status, NamespaceTree tree) throws Exception {
        CrailNodeType type = status.file().getType();
        long changedMs = status.file().getModificationTime();
        return switch (letter) {
            case 'a' -> Integer.toOctalString(status.ownership().permission());
            case 'A' -> NodeText.permission(status.ownership().permission());
            case 'e' -> NodeText.remaining(status.lifetime().remainingMs());
            case 't' ->
                NodeText.remaining(
                        status.lifetime().timeToLiveMs() == 0
                                ? Lifetime.ENDLESS
                                : status.lifetime().timeToLiveMs());
            case 'b' -> Long.toString(type.isContainer() ? 0 : status.file().getCapacity());
            case 'F' -> NamespaceTree.label(type);
            case 'g' -> NodeText.name(status.ownership().group());
            case 'n' -> status.name().isEmpty() ? "/" : status.name();
            case 'o' -> Integer.toString(tree.blockSizeBytes());
            case 'r' -> "1";
            case 'u' -> NodeText.name(status.ownership().owner());
            case 'y' -> NodeText.timeSeconds(changedMs);
            case 'Y' -> Long.toString(changedMs);
            case '%' -> "%";
            default ->
                throw new IOException("%" + letter
                        + " is no property; use %a, %A, %b, %e, %F, %g, %n, %o, %r, %t, %u, %y," + " %Y, or %% for %");
        };
    }
}
