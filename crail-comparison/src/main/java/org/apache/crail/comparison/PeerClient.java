/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;

/**
 * One thread's way into a system. The timed methods return when the system has answered, and fail if it has not done
 * what they ask. Values are kept where users of this system have them, e.g. in a heap array or in a buffer of the
 * store, so that nobody pays for the habits of another; what has been fetched is compared outside the measured time.
 * Used by one thread at a time.
 */
public interface PeerClient extends AutoCloseable {
    /** Bytes of a unit of {@link #write} and {@link #read}. */
    int UNIT_BYTES = 1 << 20;

    /**
     * Makes a place for values; what {@link #put} and {@link #get} are given as a key begins with the result. Not
     * timed.
     */
    default String table(String name) throws Exception {
        return name + ":";
    }

    /** Makes a place for files; what the methods below are given as a path begins with the result. Not timed. */
    default String directory(String name) throws Exception {
        return name + "/";
    }

    /** The value that {@link #put} stores from now on; at most 1 MiB. Not timed. */
    default void prepare(byte[] value) throws Exception {
        throw cannot("keep values");
    }

    /** Stores the prepared value under a key, in place of the former one. */
    default void put(String key) throws Exception {
        throw cannot("put");
    }

    /** Fetches all bytes of the value under a key. */
    default void get(String key) throws Exception {
        throw cannot("get");
    }

    /** Stores the prepared value under each of the keys, without waiting for one before the next. */
    default void putAll(String[] keys) throws Exception {
        throw cannot("put without waiting");
    }

    /** Fetches the values under all keys, without waiting for one before the next; tells how many bytes they have. */
    default long getAll(String[] keys) throws Exception {
        throw cannot("get without waiting");
    }

    /** A copy of what the last {@link #get} has fetched. Not timed. */
    default byte[] fetched() throws Exception {
        throw cannot("get");
    }

    /**
     * Finds out what there is to know about a file that exists. The raw machine: sends 64 bytes and waits for as many.
     */
    default void lookup(String path) throws Exception {
        throw cannot("look up");
    }

    /** Creates an empty file and closes it. */
    default void create(String path) throws Exception {
        throw cannot("create");
    }

    /** Creates an empty file that listings show from now on; it may stay open. */
    default void createAndSync(String path) throws Exception {
        create(path);
    }

    /** Looks {@code count} of the paths up, round and round, with so many requests in flight. */
    default void lookupAll(String[] paths, int count, int inFlight) throws Exception {
        throw cannot("look up without waiting");
    }

    /** Creates files, without data, with so many requests in flight. */
    default void createAll(String[] paths, int inFlight) throws Exception {
        throw cannot("create without waiting");
    }

    /** Fills a directory with so many files that {@link #enumerate} shows. Not timed. */
    default void fill(String directory, int files) throws Exception {
        throw cannot("list");
    }

    /** Asks for the names in a directory, and counts them. */
    default int enumerate(String directory) throws Exception {
        throw cannot("list");
    }

    /** Finds out what there is to know about all files of a directory, and counts them. */
    default int list(String directory) throws Exception {
        throw cannot("list with status");
    }

    /** Writes a new file of so many units, of which each begins with its number (8 bytes, from 0 on), and closes it. */
    default void write(String path, int units) throws Exception {
        throw cannot("write");
    }

    /** Opens a new file for {@link #append}, of probably so many units; it is closed with the client. */
    default void openNew(String path, int units) throws Exception {
        throw cannot("append");
    }

    /** Writes a unit to the file that is open, and waits until the servers have it. */
    default void append() throws Exception {
        throw cannot("append");
    }

    /** Reads a file of so many units, from begin to end. */
    default void read(String path, int units) throws Exception {
        throw cannot("read");
    }

    /** The number with which the last unit begins that was read; negative if the system keeps none. Not timed. */
    default long lastUnit() throws Exception {
        return -1;
    }

    /**
     * Reads all of so many bytes, at most 1 MiB, at a position; the file is opened with its first one and stays open.
     */
    default void readAt(String path, long position, int bytes) throws Exception {
        throw cannot("read at a position");
    }

    /** The first 8 bytes of what {@link #readAt} has read last. Not timed. */
    default long firstRead() throws Exception {
        throw cannot("read at a position");
    }

    /** Writes a new file with a table of so many rows. Not timed. */
    default void writeTable(String path, TableFormat format, int rows) throws Exception {
        throw cannot("keep tables");
    }

    /** Opens a table, and adds all its values up. */
    default double sumTable(String path, TableFormat format) throws Exception {
        throw cannot("keep tables");
    }

    /** Removes a file, or a directory or table with all that is in it. Not timed. */
    default void remove(String path) throws Exception {}

    /**
     * Waits until blocks of what was replaced and removed can be used again, for what the next turn writes. Not timed.
     */
    default void awaitRoom() throws Exception {}

    /**
     * Brings to its end what the turn has left to be done, so that it does not disturb the next system's. Not timed.
     */
    default void settle() throws Exception {}

    @Override
    default void close() throws IOException {}

    private UnsupportedOperationException cannot(String what) {
        return new UnsupportedOperationException(getClass().getName() + " cannot " + what);
    }
}
