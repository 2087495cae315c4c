/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.server.MetadataService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Measures the heap that a file of one block costs the namenode, and how long the collector holds it up: creates files
 * in process and divides the growth of the used heap, after collections, by their number; then removes and creates some
 * of them. Not thread safe.
 */
@Command(
        name = "memory",
        description = "Heap of the namenode for each one-block file, and pauses of the garbage collector.",
        mixinStandardHelpOptions = true)
final class NamenodeMemory implements Callable<Integer> {
    private static final int COLLECTIONS = 3;
    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_MS = 1e6;

    /** One of so many files is replaced. */
    private static final int REPLACED = 5;

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
        long blocks = files + files / REPLACED + 1000L; // those of replaced files are not free at once
        print(out, "files", files);
        CollectorPauses.watch().close(); // so that the recorder is not taken for files
        long empty = usedBytes();
        try (LocalNamenode namenode = LocalNamenode.start(blocks, 1)) {
            long before = usedBytes();
            double bytesPerBlock = (before - empty) / (double) blocks;
            measure(out, "creates", () -> create(namenode.service()));
            double bytesPerFile = (usedBytes() - before) / (double) files;
            print(out, "heap with all blocks free, bytes per block", bytesPerBlock);
            print(out, "growth of the heap, bytes per file", bytesPerFile);
            print(out, "heap in all, bytes per file with its block", bytesPerFile + bytesPerBlock);
            measure(out, "pairs of remove and create", () -> replaceSome(namenode.service()));
            namenode.check();
        }
        return 0;
    }

    private static void measure(PrintStream out, String what, Callable<Integer> work) throws Exception {
        try (CollectorPauses pauses = CollectorPauses.watch()) {
            long startNs = System.nanoTime();
            int done = work.call();
            print(out, what + " in process, per second", done * NS_PER_SECOND / (System.nanoTime() - startNs));
            long ignored = usedBytes(); // ends the collection that goes on
            print(out, what, pauses.longest());
        }
    }

    private static void print(PrintStream out, String what, List<Duration> pauses) {
        print(out, "collections during " + what, pauses.size());
        Duration longest = pauses.isEmpty() ? Duration.ZERO : pauses.get(pauses.size() - 1);
        print(out, "longest pause during " + what + ", ms", longest.toNanos() / NS_PER_MS);
    }

    private static void print(PrintStream out, String what, double figure) {
        out.printf(Locale.ROOT, "%s: %,.1f%n", what, figure);
    }

    private int create(MetadataService service) throws CrailException {
        for (int i = 0; i < files; i++) {
            if (i % directorySize == 0) {
                create(service, directory(i), CrailNodeType.DIRECTORY);
            }
            create(service, path(i), CrailNodeType.DATAFILE);
        }
        return files;
    }

    private int replaceSome(MetadataService service) throws CrailException {
        int replaced = 0;
        for (int i = 0; i < files; i += REPLACED) {
            service.remove(new RemoveRequest(CrailPath.parse(path(i)), false));
            create(service, path(i), CrailNodeType.DATAFILE);
            replaced++;
        }
        return replaced;
    }

    private String directory(int file) {
        return "/d" + file / directorySize;
    }

    private String path(int file) {
        return directory(file) + "/part-" + file;
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
