/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Compares a cluster with raw blocking sockets and memory copies in one interleaved run: in each round every measurement is made once, so
 * that what else the machine does meets both sides. Servers are processes of their own and end with this one. Not thread
 * safe.
 */
@Command(
        name = "sockets",
        description = "Compare a cluster with raw sockets on loopback and memory copies.",
        mixinStandardHelpOptions = true)
final class SocketComparison implements Callable<Integer> {
    /** The file that is read, and those that were written until reclamation gives their blocks back. */
    private static final int FILES_KEPT = 10;

    @ParentCommand
    private Benchmarks parent;

    @Option(names = "--rounds", defaultValue = "7", description = "Rounds that count (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warmup", defaultValue = "15", description = "Rounds before them (default: ${DEFAULT-VALUE}).")
    private int warmup;

    @Option(names = "--mib", defaultValue = "256", description = "MiB of a stream (default: ${DEFAULT-VALUE}).")
    private int units;

    @Option(names = "--depth", defaultValue = "4", description = "Transfers in flight (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(
            names = "--calls",
            defaultValue = "20000",
            description = "Synchronous calls a round, ten times as many pipelined (default: ${DEFAULT-VALUE}).")
    private int calls;

    @Option(names = "--window", defaultValue = "512", description = "Calls in flight (default: ${DEFAULT-VALUE}).")
    private int window;

    @Option(names = "--only", split = ",", description = "Only these: latency, streams, mapped, pipelined, threads.")
    private List<String> only = List.of("latency", "streams", "mapped", "pipelined", "threads");

    @Option(names = "--conf", description = "A configuration key of all parts, as key=value; may be repeated.")
    private Map<String, String> settings = Map.of();

    @Option(names = "--server-option", description = "An option of the servers' JVMs; may be repeated.")
    private List<String> serverOptions = new ArrayList<>(List.of("-Xmx1g"));

    @Option(names = "--json", description = "Also write all figures to this file.")
    private Path json;

    private final Rounds figures = new Rounds();

    @Override
    public Integer call() throws Exception {
        PrintStream out = parent.out();
        Map<String, String> machine = Machine.describe(parent.command());
        machine.forEach((name, value) -> out.println(name + ": " + value));
        int storageMib = units * FILES_KEPT;
        try (BenchCluster cluster = BenchCluster.start(storageMib, settings, serverOptions);
                ServerProcess raw = ServerProcess.start(
                        RawServer.class,
                        serverOptions,
                        List.of(cluster.dataPath().resolve("raw").toString(), Integer.toString(units)));
                RawClient client = new RawClient(raw.address())) {
            out.println("configuration: " + cluster.settings());
            run(cluster, client, out);
        }
        figures.print(out);
        if (json != null) {
            writeJson(machine);
        }
        return 0;
    }

    private void run(BenchCluster cluster, RawClient raw, PrintStream out) throws Exception {
        LookupWork lookups = new LookupWork(cluster.store(), 1000);
        lookups.prepare();
        StreamWork streams = new StreamWork(cluster.store(), units, depth);
        streams.prepare();
        StreamWork mapped = new StreamWork(cluster.mappedStore(), units, 1);
        RawCopy copy = only.contains("mapped") ? new RawCopy(cluster.dataPath().resolve("copied"), units) : null;
        for (int round = -warmup; round < rounds; round++) {
            if (round == 0) {
                figures.clear();
            }
            round(lookups, streams, raw);
            if (copy != null) {
                mapped(mapped, copy);
            }
            out.println(round < 0 ? "warm-up round done" : "round " + (round + 1) + " of " + rounds + " done");
        }
        streams.end();
        mapped.end();
    }

    private void round(LookupWork lookups, StreamWork streams, RawClient raw) throws Exception {
        if (only.contains("latency")) {
            latency(lookups, raw);
        }
        if (only.contains("streams")) {
            streams(streams, raw);
        }
        if (only.contains("pipelined")) {
            figures.add(Metric.LOOKUPS, lookups.pipelinedLookups(10 * calls, window));
            figures.add(Metric.CREATES, lookups.pipelinedCreates(5 * calls, window, false));
            figures.add(Metric.CREATES_ENUMERABLE, lookups.pipelinedCreates(5 * calls, window, true));
        }
        if (only.contains("threads")) {
            figures.add(Metric.THREADS_8, lookups.threadedLookups(5 * calls, 8));
            figures.add(Metric.THREADS_64, lookups.threadedLookups(5 * calls, 64));
        }
    }

    private void latency(LookupWork lookups, RawClient raw) throws Exception {
        Histogram base = raw.roundTrips(calls);
        Histogram own = lookups.roundTrips(calls);
        figures.add(Metric.RAW_P50, Sample.percentileUs(base, 50));
        figures.add(Metric.LOOKUP_P50, Sample.percentileUs(own, 50));
        figures.add(Metric.RAW_P99, Sample.percentileUs(base, 99));
        figures.add(Metric.LOOKUP_P99, Sample.percentileUs(own, 99));
    }

    private void streams(StreamWork streams, RawClient raw) throws Exception {
        figures.add(Metric.RAW_READ, raw.receive(units));
        figures.add(Metric.READ, streams.read(depth));
        figures.add(Metric.RAW_STORED_READ, raw.receiveStored(units));
        figures.add(Metric.RAW_REQUEST, raw.request(units));
        figures.add(Metric.READ_ONE, streams.read(1));
        figures.add(Metric.RAW_WRITE, raw.send(units));
        figures.add(Metric.WRITE, streams.write(depth));
        figures.add(Metric.RAW_STORED_WRITE, raw.sendStored(units));
        figures.add(Metric.RAW_DELIVER, raw.deliver(units));
        figures.add(Metric.WRITE_ONE, streams.write(1));
    }

    private void mapped(StreamWork mapped, RawCopy copy) throws Exception {
        figures.add(Metric.RAW_COPY_OUT, copy.out());
        figures.add(Metric.MAPPED_READ, mapped.read(1));
        figures.add(Metric.RAW_COPY_IN, copy.in());
        figures.add(Metric.MAPPED_WRITE, mapped.write(1));
    }

    private void writeJson(Map<String, String> machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("machine", machine);
        document.put("figures", figures.asMap());
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), document);
    }
}
