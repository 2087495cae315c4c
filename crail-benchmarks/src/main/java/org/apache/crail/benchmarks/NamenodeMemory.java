/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.server.MetadataService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Measures the heap that a file of one block costs the namenode: creates files in process and divides the growth of the
 * used heap, after collections, by their number. Not thread safe.
 */
@Command(
        name = "memory",
        description = "Heap of the namenode for each one-block file.",
        mixinStandardHelpOptions = true)
final class NamenodeMemory implements Callable<Integer> {
    private static final int COLLECTIONS = 3;
    private static final double NS_PER_SECOND = 1e9;

    @ParentCommand
    private Benchmarks parent;

    @Option(names = "--files", defaultValue = "5000000", description = "Number of files (default: ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--directory-size",
            defaultValue = "100000",
            description = "Files of a directory (default: ${DEFAULT-VALUE}).")
    private int directorySize;

    @Option(names = "--enumerable", description = "Whether the files have places in their directory.")
    private boolean enumerable;

    @Override
    public Integer call() throws Exception {
        PrintStream out = parent.out();
        Machine.describe(parent.command()).forEach((name, value) -> out.println(name + ": " + value));
        long empty = usedBytes();
        try (LocalNamenode namenode = LocalNamenode.start(files + files / 100 + 1000L, 1)) {
            long before = usedBytes();
            long startNs = System.nanoTime();
            create(namenode.service());
            double perSecond = files * NS_PER_SECOND / (System.nanoTime() - startNs);
            long after = usedBytes();
            print(out, "files", files);
            print(out, "heap with all blocks free, bytes per block", (before - empty) / (double) files);
            print(out, "growth of the heap, bytes per file", (after - before) / (double) files);
            print(out, "heap in all, bytes per file with its block", (after - empty) / (double) files);
            print(out, "creates in process, per second", perSecond);
            namenode.check();
        }
        return 0;
    }

    private static void print(PrintStream out, String what, double figure) {
        out.printf(Locale.ROOT, "%s: %,.1f%n", what, figure);
    }

    private void create(MetadataService service) throws CrailException {
        for (int i = 0; i < files; i++) {
            String directory = "/d" + i / directorySize;
            if (i % directorySize == 0) {
                create(service, directory, CrailNodeType.DIRECTORY);
            }
            create(service, directory + "/part-" + i, CrailNodeType.DATAFILE);
        }
    }

    private void create(MetadataService service, String path, CrailNodeType type) throws CrailException {
        service.create(new CreateRequest(CrailPath.parse(path), type, 0, 0, enumerable));
    }

    private static long usedBytes() throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(100); // lets reference handlers finish; nothing depends on it
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
