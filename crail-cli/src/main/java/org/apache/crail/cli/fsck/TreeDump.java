/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.TextTable;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.ExitCode;

/** The tree by the namenode's books. All methods are thread safe. */
final class TreeDump {
    private static final String[] HEADINGS = {"FD", "TYPE", "CAPACITY", "CHILDREN", "CLASS", "LOCATION"};

    private TreeDump() {}

    /** A container's children, those that are not listed, too. */
    static int directory(FsckRequest request) throws Exception {
        CrailConfiguration conf = request.context().configuration();
        TextTable table = new TextTable("NAME", "LISTED", HEADINGS[0], HEADINGS[1], HEADINGS[2]);
        try (Namenodes namenodes = Namenodes.connect(conf)) {
            for (NodeStatus child : Books.children(namenodes, request.path())) {
                FileInfo file = child.file();
                String state = file.isEnumerable() ? "yes" : "never";
                table.row(child.name(), state, file.getFd(), file.getType(), file.getCapacity());
            }
        }
        table.print(request.console());
        return ExitCode.OK;
    }

    /** The whole tree. */
    static int namenode(FsckRequest request) throws Exception {
        TextTable table =
                new TextTable("PATH", HEADINGS[0], HEADINGS[1], HEADINGS[2], HEADINGS[3], HEADINGS[4], HEADINGS[5]);
        try (Namenodes namenodes = request.context().connect()) {
            dump(namenodes, request.path(), table);
        }
        table.print(request.console());
        return ExitCode.OK;
    }

    private static void dump(Namenodes namenodes, CrailPath container, TextTable table) throws Exception {
        for (NodeStatus child : Books.children(namenodes, container)) {
            FileInfo file = child.file();
            CrailPath path = container.child(child.name());
            table.row(
                    path,
                    file.getFd(),
                    file.getType(),
                    file.getCapacity(),
                    file.children(),
                    file.storageClass(),
                    file.locationClass());
            if (file.getType().isContainer()) {
                dump(namenodes, path, table);
            }
        }
    }
}
