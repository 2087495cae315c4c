/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.Locale;
import org.apache.crail.cli.console.Numbers;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.internal.Counted;
import picocli.CommandLine.Option;

/** What is measured and how. Filled by the parser, read by any thread afterwards. */
final class BenchOptions {
    @Option(
            names = "-t",
            paramLabel = "TEST",
            required = true,
            converter = BenchTypeConverter.class,
            completionCandidates = BenchTypeConverter.class,
            description = "What to measure; see below.")
    private BenchType type;

    @Option(
            names = "-f",
            paramLabel = "PATH",
            defaultValue = "/tmp.dat",
            description = "The file, or the container of a test on names. Default: ${DEFAULT-VALUE}.")
    private String path;

    @Option(
            names = "-s",
            paramLabel = "BYTES",
            converter = Sizes.class,
            description = "Size of an operation, e.g. 4096 or 64k. Default: crail.buffersize.")
    private Long sizeBytes;

    @Option(
            names = "-k",
            paramLabel = "N",
            converter = Numbers.Count.class,
            defaultValue = "1",
            description = "How many operations each thread does. Default: ${DEFAULT-VALUE}.")
    private int loop;

    @Option(
            names = "-b",
            paramLabel = "N",
            converter = Numbers.Count.class,
            defaultValue = "1",
            description = "How many operations are in flight in asynchronous tests. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(
            names = "-c",
            paramLabel = "CLASS",
            defaultValue = "0",
            description = "Storage class of what is created. Default: ${DEFAULT-VALUE}.")
    private int storageClass;

    @Option(
            names = "-p",
            paramLabel = "CLASS",
            defaultValue = "0",
            description = "Location class of what is created. Default: ${DEFAULT-VALUE}.")
    private int locationClass;

    @Option(
            names = "-w",
            paramLabel = "N",
            converter = Numbers.CountOrNone.class,
            defaultValue = "32",
            description = "How many operations each thread does before the clock starts. Default: ${DEFAULT-VALUE}.")
    private int warmup;

    @Option(
            names = "-e",
            paramLabel = "N",
            converter = Numbers.Count.class,
            defaultValue = "1",
            description = "How often the test is done. Default: ${DEFAULT-VALUE}.")
    private int experiments;

    @Option(
            names = "-o",
            paramLabel = "BOOL",
            arity = "0..1",
            defaultValue = "false",
            fallbackValue = "true",
            description = "Keep the store open between experiments. Default: ${DEFAULT-VALUE}.")
    private boolean keepOpen;

    @Option(
            names = "-d",
            paramLabel = "BOOL",
            arity = "0..1",
            defaultValue = "false",
            fallbackValue = "true",
            description = "Create nodes that are not listed. Default: ${DEFAULT-VALUE}.")
    private boolean skipDirectory;

    @Option(
            names = "-m",
            paramLabel = "BOOL",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description = "Use buffered streams where there is a choice. Default: ${DEFAULT-VALUE}.")
    private boolean buffered;

    @Option(
            names = "--threads",
            paramLabel = "N",
            converter = Numbers.Count.class,
            defaultValue = "1",
            description = "How many threads do the test at once. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--clients",
            paramLabel = "N",
            converter = Numbers.Count.class,
            defaultValue = "1",
            description = "How many stores the threads share. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(names = "--overwrite", description = "Delete -f first if a test that creates it finds it.")
    private boolean overwrite;

    @Option(names = "--json", description = "Write JSON; all figures with their units in the names.")
    private boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Show no progress.")
    private boolean quiet;

    BenchType type() {
        return type;
    }

    String path() {
        return path;
    }

    /** The size of an operation, or {@code ifAbsent}. */
    int sizeBytes(int ifAbsent) {
        return sizeBytes == null ? ifAbsent : Math.toIntExact(sizeBytes);
    }

    int loop() {
        return loop;
    }

    int batch() {
        return batch;
    }

    int storageClass() {
        return storageClass;
    }

    int locationClass() {
        return locationClass;
    }

    int warmup() {
        return warmup;
    }

    int experiments() {
        return experiments;
    }

    boolean keepOpen() {
        return keepOpen;
    }

    boolean skipDirectory() {
        return skipDirectory;
    }

    boolean buffered() {
        return buffered;
    }

    int threads() {
        return threads;
    }

    int clients() {
        return Math.min(clients, threads);
    }

    boolean overwrite() {
        return overwrite;
    }

    boolean json() {
        return json;
    }

    boolean quiet() {
        return quiet;
    }

    /** What is measured, in a line. */
    String heading(String file, int bytes) {
        return String.format(
                Locale.ROOT,
                "%s (%s): -f %s, -s %s, -k %d, -b %d; %s, %s, %s streams, %s before the clock starts",
                type.label(),
                type.text(),
                file,
                Sizes.human(bytes),
                loop,
                batch,
                Counted.of(threads, "thread"),
                Counted.of(clients(), "client"),
                buffered ? "buffered" : "direct",
                Counted.of(warmup, "operation"));
    }

    /** What is wrong, or null. */
    String problem() {
        if (sizeBytes != null && (sizeBytes < 1 || sizeBytes > Integer.MAX_VALUE)) {
            return "-s must be from 1 to " + Integer.MAX_VALUE + " bytes";
        }
        if (batch > 1 && !type.isBatched()) {
            return "-b has no effect on " + type.label()
                    + ", which has one operation in flight for each thread; leave it" + " out, or use --threads";
        }
        return null;
    }
}
