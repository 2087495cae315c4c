/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.works;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.CloseAll;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.works.Load.Done;
import org.apache.crail.comparison.works.Load.Operation;
import org.apache.crail.comparison.works.Load.Timed;

/**
 * A system that has been started, with its clients, the names and values that it is given, and how much it has done.
 */
public final class SystemBench implements AutoCloseable {
    static final int NO_LIMIT = Integer.MAX_VALUE;

    private static final long SEED = 42;

    private final Peer peer;
    private final Effort effort;
    private final List<PeerClient> clients = new ArrayList<>();
    private Tally tally = Tally.NOTHING;

    /** Connects the first client. The peer is closed by others. */
    public SystemBench(Peer peer, Effort effort) throws Exception {
        this.peer = peer;
        this.effort = effort;
        clients.add(peer.connect());
    }

    /** The system. */
    public Peer peer() {
        return peer;
    }

    PeerClient client() {
        return clients.get(0);
    }

    Effort effort() {
        return effort;
    }

    /** What all turns have measured so far. */
    public Tally tally() {
        return tally;
    }

    /** Names of files in a new directory, which exist if the system can create any. */
    String[] files(String directory, int count) throws Exception {
        String prefix = client().directory(directory);
        String[] paths = names(prefix, count);
        if (peer.abilities().contains(Ability.CREATE)) {
            for (String path : paths) {
                client().create(path);
            }
        }
        return paths;
    }

    static String[] names(String prefix, int count) {
        String[] names = new String[count];
        Arrays.setAll(names, i -> prefix + "file-" + i);
        return names;
    }

    /**
     * A value that is the same in every run, and begins with a number by which it is known among those of its length.
     */
    static byte[] value(int bytes, int number) {
        byte[] value = new byte[bytes];
        new Random(SEED).nextBytes(value);
        ByteBuffer.wrap(value).putInt(number);
        return value;
    }

    /** Fails unless the value that a client has fetched last is the one of that number. */
    static void checkFetched(PeerClient client, int bytes, int number) throws Exception {
        if (!Arrays.equals(client.fetched(), value(bytes, number))) {
            throw new IllegalStateException("value " + number + " of " + bytes + " bytes came back as another one");
        }
    }

    /** The median time of an operation in a turn, which ends early after {@code most} of them. */
    Timed time(int most, Operation operation) throws Exception {
        long compiledNs = Tally.compiledNsUntilNow();
        Timed timed = Load.time(effort.turnMs(), most, operation);
        count(timed.count(), timed.ns(), compiledNs);
        return timed;
    }

    /** Operations in a turn, which ends early after {@code most} of them. */
    Done repeat(int most, Operation operation) throws Exception {
        return repeat(effort.turnMs(), 1, most, operation);
    }

    /** The same for work whose turns last longer, as it is slow to settle. */
    Done repeatLong(int most, Operation operation) throws Exception {
        return repeat(effort.longTurnMs(), 1, most, operation);
    }

    /** Batches of {@code parts} requests that are sent off together, or of units of a file; how many parts a second. */
    double batches(int parts, int most, Operation batch) throws Exception {
        return parts * repeat(effort.turnMs(), parts, most, batch).perSecond();
    }

    private Done repeat(long durationMs, int parts, int most, Operation operation) throws Exception {
        long compiledNs = Tally.compiledNsUntilNow();
        Done done = Load.repeat(durationMs, most, operation);
        count((long) parts * done.count(), done.ns(), compiledNs);
        return done;
    }

    /**
     * Gets by several threads, each with a client of its own; how many a second they make together.
     *
     * @param keys those of values with the numbers 0, 1 and so on
     * @param bytes of each value
     */
    double gets(int threads, String[] keys, int bytes) throws Exception {
        while (clients.size() < threads) {
            clients.add(peer.connect());
        }
        List<Operation> gets = new ArrayList<>();
        for (PeerClient client : clients.subList(0, threads)) {
            gets.add(i -> client.get(keys[i % keys.length]));
        }
        long compiledNs = Tally.compiledNsUntilNow();
        List<Done> shares = Load.together(effort.longTurnMs(), gets);
        Done all = Done.all(shares);
        count(all.count(), all.ns(), compiledNs);
        for (int i = 0; i < threads; i++) {
            checkFetched(clients.get(i), bytes, shares.get(i).last() % keys.length);
        }
        return all.perSecond();
    }

    private void count(long operations, long ns, long compiledNsBefore) {
        tally = tally.plus(new Tally(operations, ns, Tally.compiledNsUntilNow() - compiledNsBefore));
    }

    @Override
    public void close() throws IOException {
        CloseAll.all(clients);
    }
}
