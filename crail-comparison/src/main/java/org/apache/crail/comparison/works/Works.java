/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.works;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.NumberTable;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.TableFormat;
import org.apache.crail.comparison.works.Load.Done;
import org.apache.crail.comparison.works.Load.Operation;
import org.apache.crail.comparison.works.Load.Timed;
import org.apache.crail.comparison.works.Work.Turn;

/** All work, in the order in which it is done. Stateless. */
public final class Works {
    private static final int IN_FLIGHT = 512;
    /** Files that are looked up, by each of two works. */
    static final int LOOKED_UP = 200;

    private static final double BYTES_PER_MIB = 1 << 20;

    private static final int RANDOM_BYTES = 4 << 10;
    private static final long SEED = 42;

    private static final int SMALL_KEYS = 100;
    private static final int VALUE_AT_ONCE_BYTES = 1_000;
    private static final int LARGE_KEYS = 20;

    /** From so many bytes on it is the throughput of values that counts. */
    private static final int LARGE_BYTES = 100_000;

    /** No more blocks than that are taken by the values that all work together keeps; small ones share theirs. */
    static final int BLOCKS_OF_VALUES = 128;

    private Works() {}

    /** All work. */
    public static List<Work> all(Effort effort) {
        List<Work> all = new ArrayList<>();
        all.add(new Work("lookup", "us", Ability.LOOKUP, Works::lookup));
        all.add(new Work("lookup-rate", "1/s", Ability.LOOKUP, Works::lookupRate));
        all.add(new Work("lookup-pipelined", "1/s", Ability.PIPELINE, Works::lookupPipelined));
        all.add(new Work("create-pipelined", "1/s", Ability.PIPELINE, Works::createPipelined));
        all.add(new Work("create-close", "1/s", Ability.CREATE, bench -> create(bench, "create-close", false)));
        all.add(new Work("create-sync", "1/s", Ability.CREATE, bench -> create(bench, "create-sync", true)));
        all.add(new Work("read-1m", "MiB/s", Ability.STREAM, Works::read));
        all.add(new Work("write-1m", "MiB/s", Ability.STREAM, Works::write));
        all.add(new Work("read-4k-random", "us", Ability.RANDOM_READ, Works::readAtRandom));
        for (int threads : new int[] {1, 8, 64}) {
            String name = "get-256-" + threads + "-thread" + (threads == 1 ? "" : "s");
            all.add(new Work(name, "1/s", Ability.VALUES, bench -> threads(bench, name, threads)));
        }
        addValues(all, "256", "us", 256, SMALL_KEYS);
        addValues(all, "1k", "us", 1_000, SMALL_KEYS);
        all.add(new Work("get-1k-pipelined", "1/s", Ability.VALUES_AT_ONCE, Works::getAtOnce));
        all.add(new Work("put-1k-pipelined", "1/s", Ability.VALUES_AT_ONCE, Works::putAtOnce));
        addValues(all, "100k", "MiB/s", 100_000, LARGE_KEYS);
        addValues(all, "1m", "MiB/s", 1_000_000, LARGE_KEYS);
        all.add(new Work("enumerate-2000", "us", Ability.ENUMERATE, bench -> enumerate(bench, 2_000)));
        all.add(new Work("list-status", "1/s", Ability.LIST, Works::list));
        for (TableFormat format : TableFormat.values()) {
            String name = "sum-" + format.name().toLowerCase(Locale.ROOT);
            all.add(new Work(name, "1/s", Ability.TABLES, bench -> sumTable(bench, name, format)));
        }
        if (effort.mostNames() >= 100_000) {
            all.add(new Work(
                    "enumerate-100000", "1/s", Ability.ENUMERATE_MANY, bench -> enumerateRate(bench, 100_000)));
        }
        return all;
    }

    private static void addValues(List<Work> all, String size, String unit, int bytes, int keys) {
        all.add(new Work("get-" + size, unit, Ability.VALUES, bench -> get(bench, "get-" + size, bytes, keys)));
        all.add(new Work("put-" + size, unit, Ability.VALUES, bench -> put(bench, "put-" + size, bytes, keys)));
    }

    private static Turn lookup(SystemBench bench) throws Exception {
        String[] paths = bench.files("lookup", LOOKED_UP);
        PeerClient client = bench.client();
        return () -> {
            Timed timed = bench.time(SystemBench.NO_LIMIT, i -> client.lookup(paths[i % paths.length]));
            client.settle();
            return timed.medianUs();
        };
    }

    private static Turn lookupRate(SystemBench bench) throws Exception {
        String[] paths = bench.files("lookup-rate", LOOKED_UP);
        PeerClient client = bench.client();
        return () -> {
            Done done = bench.repeatLong(SystemBench.NO_LIMIT, i -> client.lookup(paths[i % paths.length]));
            client.settle();
            return done.perSecond();
        };
    }

    private static Turn lookupPipelined(SystemBench bench) throws Exception {
        String[] paths = bench.files("lookup-pipelined", LOOKED_UP);
        int calls = bench.effort().calls();
        return () ->
                bench.batches(calls, SystemBench.NO_LIMIT, i -> bench.client().lookupAll(paths, calls, IN_FLIGHT));
    }

    private static Turn createPipelined(SystemBench bench) {
        PeerClient client = bench.client();
        int calls = bench.effort().calls();
        int inFlight = Math.min(IN_FLIGHT, calls);
        return () -> {
            client.awaitRoom();
            String directory = client.directory("create-pipelined");
            String[] paths = SystemBench.names(directory, calls);
            double perSecond = bench.batches(calls, 1, i -> client.createAll(paths, inFlight));
            client.remove(directory);
            client.settle();
            return perSecond;
        };
    }

    private static Turn create(SystemBench bench, String name, boolean isSync) {
        PeerClient client = bench.client();
        int most = bench.effort().calls();
        return () -> {
            client.awaitRoom();
            String directory = client.directory(name);
            String[] paths = SystemBench.names(directory, most);
            Operation create = isSync ? i -> client.createAndSync(paths[i]) : i -> client.create(paths[i]);
            Done done = bench.repeatLong(most, create);
            client.remove(directory);
            client.settle();
            return done.perSecond();
        };
    }

    private static Turn read(SystemBench bench) throws Exception {
        PeerClient client = bench.client();
        int units = bench.effort().units();
        String path = client.directory("read") + "file";
        client.write(path, units);
        return () -> {
            double perSecond = bench.batches(units, SystemBench.NO_LIMIT, i -> client.read(path, units));
            long last = client.lastUnit();
            if (last >= 0 && last != units - 1) {
                throw new IllegalStateException("unit " + last + " was the last of " + units);
            }
            return perSecond;
        };
    }

    private static Turn write(SystemBench bench) {
        PeerClient client = bench.client();
        int units = bench.effort().units();
        return () -> {
            client.awaitRoom();
            String directory = client.directory("write");
            String[] paths = SystemBench.names(directory, bench.effort().passes());
            double perSecond = bench.batches(units, paths.length, i -> client.write(paths[i], units));
            client.remove(directory);
            client.settle();
            return perSecond;
        };
    }

    private static Turn readAtRandom(SystemBench bench) throws Exception {
        PeerClient client = bench.client();
        int units = bench.effort().units();
        String path = client.directory("read-at-random") + "file";
        client.write(path, units);
        int places = units * (PeerClient.UNIT_BYTES / RANDOM_BYTES);
        Random random = new Random(SEED);
        return () -> {
            double medianUs = bench.time(
                            SystemBench.NO_LIMIT,
                            i -> client.readAt(path, (long) random.nextInt(places) * RANDOM_BYTES, RANDOM_BYTES))
                    .medianUs();
            int unit = random.nextInt(units);
            client.readAt(path, (long) unit * PeerClient.UNIT_BYTES, RANDOM_BYTES);
            if (client.firstRead() != unit) {
                throw new IllegalStateException("unit " + client.firstRead() + " was read for unit " + unit);
            }
            return medianUs;
        };
    }

    private static Turn list(SystemBench bench) throws Exception {
        PeerClient client = bench.client();
        int files = bench.effort().listed();
        String directory = client.directory("list");
        client.fill(directory, files);
        return () -> files
                * bench.repeatLong(SystemBench.NO_LIMIT, i -> checkCount(client.list(directory), files))
                        .perSecond();
    }

    private static Turn sumTable(SystemBench bench, String name, TableFormat format) throws Exception {
        PeerClient client = bench.client();
        int rows = bench.effort().rows();
        double expected = NumberTable.sum(rows);
        String path = client.directory(name) + "table";
        client.writeTable(path, format, rows);
        return () -> rows
                * bench.repeatLong(SystemBench.NO_LIMIT, i -> {
                            double sum = client.sumTable(path, format);
                            if (sum != expected) {
                                throw new IllegalStateException(
                                        "the sum of " + path + " is " + sum + " and not " + expected);
                            }
                        })
                        .perSecond();
    }

    private static Turn threads(SystemBench bench, String name, int threads) throws Exception {
        int bytes = 256;
        String[] keys = keys(bench.client(), name, bytes, SMALL_KEYS);
        return () -> bench.gets(threads, keys, bytes);
    }

    private static Turn get(SystemBench bench, String name, int bytes, int count) throws Exception {
        PeerClient client = bench.client();
        String[] keys = keys(client, name, bytes, count);
        return () -> {
            Measured gets = measure(bench, bytes, SystemBench.NO_LIMIT, i -> client.get(keys[i % count]));
            SystemBench.checkFetched(client, bytes, gets.last() % count);
            return gets.figure();
        };
    }

    private static Turn put(SystemBench bench, String name, int bytes, int count) throws Exception {
        PeerClient client = bench.client();
        String[] keys = keys(client, name, bytes, count);
        int most = bytes < LARGE_BYTES
                ? bench.effort().mostSmallPuts()
                : bench.effort().mostPuts();
        return () -> {
            client.awaitRoom();
            int number = count + (int) bench.tally().operations(); // of no value that was put before
            client.prepare(SystemBench.value(bytes, number));
            Measured puts = measure(bench, bytes, most, i -> client.put(keys[i % count]));
            client.get(keys[puts.last() % count]);
            SystemBench.checkFetched(client, bytes, number);
            client.settle();
            return puts.figure();
        };
    }

    private static Turn getAtOnce(SystemBench bench) throws Exception {
        String[] keys = valuesAtOnce(bench, "get-1k-pipelined");
        return () -> bench.batches(keys.length, SystemBench.NO_LIMIT, i -> {
            long bytes = bench.client().getAll(keys);
            if (bytes != (long) keys.length * VALUE_AT_ONCE_BYTES) {
                throw new IllegalStateException(
                        bytes + " bytes have been fetched of " + keys.length + " values of " + VALUE_AT_ONCE_BYTES);
            }
        });
    }

    private static Turn putAtOnce(SystemBench bench) throws Exception {
        PeerClient client = bench.client();
        String[] keys = valuesAtOnce(bench, "put-1k-pipelined");
        int most = bench.effort().mostSmallPuts() / keys.length;
        return () -> {
            client.awaitRoom();
            int number = (int) bench.tally().operations(); // of no value that was put before
            client.prepare(SystemBench.value(VALUE_AT_ONCE_BYTES, number));
            double perSecond = bench.batches(keys.length, most, i -> client.putAll(keys));
            client.get(keys[keys.length - 1]);
            SystemBench.checkFetched(client, VALUE_AT_ONCE_BYTES, number);
            client.settle();
            return perSecond;
        };
    }

    private static String[] valuesAtOnce(SystemBench bench, String name) throws Exception {
        PeerClient client = bench.client();
        String[] keys = SystemBench.names(client.table(name), bench.effort().valuesAtOnce());
        client.prepare(SystemBench.value(VALUE_AT_ONCE_BYTES, 0));
        client.putAll(keys);
        return keys;
    }

    /**
     * Puts or gets of values of one length.
     *
     * @param last index of the last one
     * @param figure the time of small values, the throughput of large ones
     */
    private record Measured(int last, double figure) {}

    private static Measured measure(SystemBench bench, int bytes, int most, Operation operation) throws Exception {
        if (bytes < LARGE_BYTES) {
            Timed timed = bench.time(most, operation);
            return new Measured(timed.last(), timed.medianUs());
        }
        Done done = bench.repeat(most, operation);
        return new Measured(done.last(), done.perSecond() * bytes / BYTES_PER_MIB);
    }

    private static String[] keys(PeerClient client, String table, int bytes, int count) throws Exception {
        String[] keys = SystemBench.names(client.table(table), count);
        for (int i = 0; i < count; i++) {
            client.prepare(SystemBench.value(bytes, i));
            client.put(keys[i]);
        }
        return keys;
    }

    private static Turn enumerate(SystemBench bench, int names) throws Exception {
        String directory = filled(bench, names);
        return () -> bench.time(SystemBench.NO_LIMIT, i -> enumerate(bench.client(), directory, names))
                .medianUs();
    }

    private static Turn enumerateRate(SystemBench bench, int names) throws Exception {
        String directory = filled(bench, names);
        return () -> names
                * bench.repeat(SystemBench.NO_LIMIT, i -> enumerate(bench.client(), directory, names))
                        .perSecond();
    }

    private static String filled(SystemBench bench, int names) throws Exception {
        String directory = bench.client().directory("enumerate-" + names);
        bench.client().fill(directory, names);
        return directory;
    }

    private static void enumerate(PeerClient client, String directory, int names) throws Exception {
        checkCount(client.enumerate(directory), names);
    }

    private static void checkCount(int found, int names) {
        if (found != names) {
            throw new IllegalStateException(found + " names have been found in a directory of " + names);
        }
    }
}
