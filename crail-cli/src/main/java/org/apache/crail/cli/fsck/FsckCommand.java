/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import java.util.concurrent.Callable;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code crail fsck}. Used by one thread. */
@Command(
        name = "fsck",
        description = "Look inside a cluster.",
        footer = {
            "",
            "Types:",
            "  getLocations     where the bytes of -f from -y on, -l of them, lie",
            "  directoryDump    the children of -f by the namenode's books, listed or not",
            "  namenodeDump     the whole tree by the namenode's books",
            "  blockStatistics  how many blocks of the files at or below -f each datanode holds",
            "  ping             ask the namenodes for a sign of life",
            "  createDirectory  create the directory -f with storage class -c and location class -p",
            "  blocks           check that no block is lost or given out twice; exits with 1 if one is",
            "  lostFiles        the files at or below -f that have lost blocks; exits with 1 if one has"
        })
public final class FsckCommand implements Callable<Integer> {
    private final CliContext context;

    @Option(
            names = "-t",
            paramLabel = "TYPE",
            required = true,
            converter = FsckTypeConverter.class,
            completionCandidates = FsckTypeConverter.class,
            description = "What to do: ${COMPLETION-CANDIDATES}.")
    private FsckType type;

    @Option(
            names = "-f",
            paramLabel = "PATH",
            description = "The node. Default: /tmp.dat; / for trees; none for createDirectory.")
    private String path;

    @Option(
            names = "-y",
            paramLabel = "OFFSET",
            defaultValue = "0",
            converter = Sizes.class,
            description = "First byte of the range. Default: ${DEFAULT-VALUE}.")
    private long offset;

    @Option(
            names = "-l",
            paramLabel = "LENGTH",
            defaultValue = "1",
            converter = Sizes.class,
            description = "Bytes in the range. Default: ${DEFAULT-VALUE}.")
    private long length;

    @Option(
            names = "-c",
            paramLabel = "CLASS",
            defaultValue = "0",
            description = "Storage class, -1 for that of the parent. Default: ${DEFAULT-VALUE}.")
    private int storageClass;

    @Option(
            names = "-p",
            paramLabel = "CLASS",
            defaultValue = "0",
            description = "Location class, -1 for that of the parent. Default: ${DEFAULT-VALUE}.")
    private int locationClass;

    @Option(names = "--delete", description = "With lostFiles: delete these files, which are listed first.")
    private boolean deletes;

    @Spec
    private CommandSpec spec;

    /** Makes the command. */
    public FsckCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (type == FsckType.CREATE_DIRECTORY && path == null) {
            throw new ParameterException(spec.commandLine(), "-f PATH is missing: the directory to create");
        }
        if (deletes && type != FsckType.LOST_FILES) {
            throw new ParameterException(spec.commandLine(), "--delete goes with -t lostFiles only");
        }
        CrailPath node = CrailPath.parse(path == null ? type.defaultPath() : path);
        FsckRequest request = new FsckRequest(context, node, offset, length, storageClass, locationClass, deletes);
        return type.action().perform(request);
    }
}
