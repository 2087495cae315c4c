/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.cli.context.OpenStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.core.DirectoryRepair;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.ExitCode;

/** Writes directory records that are missing. All methods are thread safe. */
final class RecordRepair {
    private RecordRepair() {}

    /** Checks a container and all containers below it, listed or not. */
    static int repair(FsckRequest request) throws Exception {
        CrailConfiguration conf = request.context().configuration();
        int missing;
        try (OpenStore open = request.context().openStore(conf);
                Namenodes namenodes = Namenodes.connect(conf)) {
            request.require(open.store());
            DirectoryRepair repair = new DirectoryRepair((CoreDataStore) open.store());
            missing = repair(request.console(), repair, namenodes, request.path());
        }
        if (missing > 0) {
            request.console()
                    .error("crail fsck: " + missing + " records could not be repaired; try again when the"
                            + " clients that create or move these nodes have ended");
        }
        return missing > 0 ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private static int repair(Console console, DirectoryRepair repair, Namenodes namenodes, CrailPath container)
            throws Exception {
        DirectoryRepair.Report report = repair.repair(container.toString());
        console.linef(
                "%s: %d children, %d to be listed, %d records damaged, %d repaired",
                report.path(),
                report.children(),
                report.enumerable(),
                report.damaged().size(),
                report.repaired());
        report.damaged().forEach(path -> console.line("  " + path));
        int missing = report.damaged().size() - report.repaired();
        for (NodeStatus child : Books.children(namenodes, container)) {
            if (child.file().getType().isContainer()) {
                missing += repair(console, repair, namenodes, container.child(child.name()));
            }
        }
        return missing;
    }
}
