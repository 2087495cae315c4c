/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.console.TextTable;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.cli.context.Namenodes.Namenode;
import org.apache.crail.cli.context.OpenStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.StatusRequest;
import picocli.CommandLine.ExitCode;

/** Files and key-values of which blocks cannot be reached, listed or deleted. Used by one thread. */
final class LostFiles {
    private final Namenodes namenodes;
    private final Namenode namenode;
    private final Console console;
    private final int blockSizeBytes;
    private final List<LostFile> found = new ArrayList<>();
    private long files;

    private LostFiles(Namenodes namenodes, Console console) throws CrailException, InterruptedException {
        this.namenodes = namenodes;
        this.namenode = namenodes.all().get(0);
        this.console = console;
        this.blockSizeBytes = namenode.report().get(0).blockSizeBytes();
    }

    static int perform(FsckRequest request) throws Exception {
        CrailConfiguration conf = request.context().configuration();
        request.context().warn(conf);
        try (Namenodes namenodes = Namenodes.connect(conf)) {
            LostFiles lost = new LostFiles(namenodes, request.console());
            lost.search(
                    request.path(),
                    lost.namenode.call(new StatusRequest(request.path())).status());
            lost.print();
            if (lost.found.isEmpty()) {
                return ExitCode.OK;
            }
            Optional<DatanodeReport> away = lost.datanodeAway();
            away.ifPresent(datanode -> request.console().error("crail fsck: " + mayReturn(datanode)));
            boolean isDeleted = request.deletes() && away.isEmpty() && lost.delete(request, conf);
            return isDeleted ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private void search(CrailPath path, NodeStatus status) throws CrailException, InterruptedException {
        if (status.file().getType().isContainer()) {
            for (NodeStatus child : children(path)) {
                search(path.child(child.name()), child);
            }
            return;
        }
        files++;
        long bytes = status.file().getCapacity();
        long lostBytes = lostBytes(path, bytes);
        if (lostBytes > 0) {
            found.add(new LostFile(path, lostBytes, bytes));
        }
    }

    private List<NodeStatus> children(CrailPath path) throws CrailException, InterruptedException {
        try {
            return Books.children(namenodes, path);
        } catch (NodeNotFoundException e) {
            return List.of(); // deleted since it was listed
        }
    }

    private long lostBytes(CrailPath path, long bytes) throws CrailException, InterruptedException {
        long lost = 0;
        long position = 0;
        while (position < bytes) {
            int reachable = reachable(path, position);
            lost += reachable == 0 ? Math.min(blockSizeBytes, bytes - position) : 0;
            position += (long) Math.max(1, reachable) * blockSizeBytes;
        }
        return lost;
    }

    /** How many blocks from a position on can be reached, as far as one answer tells; those of what is gone can. */
    private int reachable(CrailPath path, long position) throws CrailException, InterruptedException {
        try {
            return namenode.call(new LocateRequest(path, position, MapRequest.MAX_COUNT))
                    .blocks()
                    .size();
        } catch (DatanodeLostException e) {
            return 0;
        } catch (NodeNotFoundException | PositionOutOfRangeException e) {
            return MapRequest.MAX_COUNT;
        }
    }

    private void print() {
        TextTable table = new TextTable("LOST BYTES", "BYTES", "PATH");
        found.forEach(file -> table.row(file.lostBytes, file.bytes, file.path));
        if (!found.isEmpty()) {
            table.print(console);
        }
        console.linef(
                "%d of %d files have lost blocks, %s",
                found.size(),
                files,
                Sizes.human(found.stream().mapToLong(LostFile::lostBytes).sum()));
    }

    /** A datanode whose blocks cannot be reached now, and may be again. */
    private Optional<DatanodeReport> datanodeAway() throws CrailException, InterruptedException {
        return namenode.report().stream()
                .flatMap(page -> page.datanodes().stream())
                .filter(datanode -> !datanode.live())
                .findAny();
    }

    private static String mayReturn(DatanodeReport datanode) {
        String address = datanode.datanode().identity();
        return "datanode " + address + (datanode.stopped() ? " has stopped" : " is silent")
                + ", and blocks that it holds may come back with it, so that nothing is deleted; restart it, or give it"
                + " up with crail forget " + address;
    }

    /** Deletes all that was found, unless a datanode goes silent meanwhile: then nobody knows what is lost. */
    private boolean delete(FsckRequest request, CrailConfiguration conf) throws Exception {
        try (OpenStore open = request.context().openStore(conf)) {
            for (LostFile file : found) {
                boolean isLost = datanodeAway().isEmpty() && lostBytes(file.path, file.bytes) > 0;
                Optional<DatanodeReport> away = datanodeAway();
                if (away.isPresent()) {
                    console.error("crail fsck: " + mayReturn(away.get()));
                    return false;
                }
                if (isLost) {
                    CrailNode ignored =
                            open.store().delete(file.path.toString(), false).get();
                    console.line("Deleted " + file.path);
                }
            }
        }
        return true;
    }

    private record LostFile(CrailPath path, long lostBytes, long bytes) {}
}
