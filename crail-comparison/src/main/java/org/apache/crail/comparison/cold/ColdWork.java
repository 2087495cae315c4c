/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.util.Arrays;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.PeerClient;

/**
 * What a cold client does again and again, each time when the operation before has ended. It uses neither lambdas nor
 * joined strings, as a client would be charged for the first of them. Thread safe.
 */
public enum ColdWork {
    /** Lookups of {@link #PREPARED} files. */
    LOOKUP("lookup", Ability.LOOKUP, 0),
    /** Gets of {@link #PREPARED} values. */
    GET("get-256", Ability.VALUES, 256),
    /** Puts of new values. */
    PUT("put-256", Ability.VALUES, 256),
    /** Creates of empty files, and their closing. */
    CREATE("create-close", Ability.CREATE, 0),
    /** Listings of a directory of {@link #LISTED} files. */
    LIST("list-48", Ability.ENUMERATE, 0),
    /** Puts of new values of 1 MiB. */
    PUT_1M("put-1m", Ability.VALUES, PeerClient.UNIT_BYTES),
    /** Writes of 1 MiB to one open file. */
    WRITE_1M("write-1m", Ability.APPEND, PeerClient.UNIT_BYTES);

    private static final int PREPARED = 100;
    private static final int LISTED = 48;
    private static final String FILE = "file-";

    private final String workName;
    private final Ability ability;
    private final int valueBytes;

    ColdWork(String workName, Ability ability, int valueBytes) {
        this.workName = workName;
        this.ability = ability;
        this.valueBytes = valueBytes;
    }

    /** What it is called in tables and in JSON. */
    public String workName() {
        return workName;
    }

    /** What a system must be able to do. */
    public Ability ability() {
        return ability;
    }

    /** Whether each operation takes 1 MiB of memory of the servers. */
    public boolean isLarge() {
        return this == PUT_1M || this == WRITE_1M;
    }

    /**
     * What the paths of a turn begin with, and what its operations need is made. For the process that outlives turns.
     */
    public String prepare(PeerClient client, String name) throws Exception {
        String place = ability == Ability.VALUES ? client.table(name) : client.directory(name);
        if (this == LIST) {
            client.fill(place, LISTED);
        } else if (this == GET) {
            client.prepare(value());
        }
        for (int i = 0; i < PREPARED; i++) {
            if (this == LOOKUP) {
                client.create(path(place, i));
            } else if (this == GET) {
                client.put(path(place, i));
            }
        }
        return place;
    }

    /** Called before the first operation, and timed with it; there will be so many. */
    void begin(PeerClient client, String place, int operations) throws Exception {
        if (this == PUT || this == PUT_1M) {
            client.prepare(value());
        } else if (this == WRITE_1M) {
            client.openNew(path(place, 0), operations);
        }
    }

    /** The operation of that number, from 0 on. */
    void run(PeerClient client, String place, int number) throws Exception {
        switch (this) {
            case LOOKUP -> client.lookup(path(place, number % PREPARED));
            case GET -> client.get(path(place, number % PREPARED));
            case PUT, PUT_1M -> client.put(path(place, number));
            case CREATE -> client.create(path(place, number));
            case LIST -> checkCount(client.enumerate(place));
            case WRITE_1M -> client.append();
        }
    }

    /** Called in the client after the last operation, untimed: fails if the last value that came is another one. */
    void end(PeerClient client) throws Exception {
        if (this == GET) {
            checkFetched(client);
        }
    }

    /** Fails unless what a client has left behind, which has ended after so many operations, is there. */
    public void check(PeerClient client, String place, int operations) throws Exception {
        switch (this) {
            case PUT, PUT_1M -> {
                client.get(path(place, operations - 1));
                checkFetched(client);
            }
            case WRITE_1M -> client.read(path(place, 0), 1);
            case LOOKUP, GET, CREATE, LIST -> {}
        }
    }

    private static String path(String place, int number) {
        return place.concat(FILE).concat(Integer.toString(number));
    }

    /** Ends with a byte that memory does not hold by itself. */
    private byte[] value() {
        byte[] value = new byte[valueBytes];
        value[valueBytes - 1] = 1;
        return value;
    }

    private void checkFetched(PeerClient client) throws Exception {
        if (!Arrays.equals(client.fetched(), value())) {
            throw new IllegalStateException("a value came back as another one");
        }
    }

    private static void checkCount(int found) {
        if (found != LISTED) {
            throw new IllegalStateException(found + " names have been found in a directory of " + LISTED);
        }
    }
}
