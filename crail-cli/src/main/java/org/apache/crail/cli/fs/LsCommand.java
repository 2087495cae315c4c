/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.cli.CliContext;
import org.apache.crail.cli.Sizes;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -ls}. Used by one thread. */
@Command(
        name = "ls",
        aliases = "-ls",
        description = "List nodes: type and permissions, copies, owner, group, bytes, time of change, path.")
final class LsCommand extends FsSubcommand {
    @Option(names = "-R", description = "List what is below directories, too.")
    private boolean recursive;

    @Option(names = "-d", description = "List a directory itself, not what is in it.")
    private boolean directoriesAsNodes;

    @Option(names = "-C", description = "Show paths only.")
    private boolean pathsOnly;

    @Option(
            names = {"-h", "--human"},
            description = "Show sizes with a unit.")
    private boolean human;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "Nodes to list; / if none is named.")
    private List<String> paths = List.of("/");

    LsCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Tree tree) throws Exception {
        NodeLine line = pathsOnly ? CrailNode::getPath : new LongLine(tree.configuration(), human);
        forEach(paths, path -> list(tree, tree.require(path), line));
    }

    private void list(Tree tree, CrailNode node, NodeLine line) throws Exception {
        if (directoriesAsNodes || !node.getType().isContainer()) {
            console().line(line.of(node));
            return;
        }
        List<CrailNode> children = tree.children(node);
        if (!recursive && !pathsOnly && !children.isEmpty()) {
            console().line("Found " + children.size() + " items");
        }
        for (CrailNode child : children) {
            console().line(line.of(child));
            if (recursive && child.getType().isContainer()) {
                list(tree, child, line);
            }
        }
    }

    /** A node as text. */
    private interface NodeLine {
        String of(CrailNode node) throws Exception;
    }

    /** The eight columns of hadoop fs; permissions, owners and copies are not asked for, so those are constant. */
    private static final class LongLine implements NodeLine {
        private final String user;
        private final boolean human;

        LongLine(CrailConfiguration conf, boolean human) throws ConfigurationException {
            this.user = conf.get(CrailKeys.USER);
            this.human = human;
        }

        @Override
        public String of(CrailNode node) {
            boolean container = node.getType().isContainer();
            return String.format(
                    "%s%s %3s %s %s %12s %s %s",
                    NodeText.letter(node.getType()),
                    container ? "rwxrwxrwx" : "rw-rw-rw-",
                    container ? "-" : "1",
                    user,
                    user,
                    size(container ? 0 : node.getCapacity()),
                    NodeText.time(node),
                    node.getPath());
        }

        private String size(long bytes) {
            return human ? Sizes.human(bytes) : Long.toString(bytes);
        }
    }
}
