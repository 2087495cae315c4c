/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import static org.apache.crail.cli.iobench.BenchType.Target.CONTAINER;
import static org.apache.crail.cli.iobench.BenchType.Target.EXISTING;
import static org.apache.crail.cli.iobench.BenchType.Target.NEW_FILE;
import static org.apache.crail.cli.iobench.BenchType.Target.NONE;
import static org.apache.crail.cli.iobench.BenchType.Target.TABLE;

import java.util.EnumSet;
import java.util.Set;

/** What can be measured. Immutable. */
enum BenchType {
    WRITE("write", NEW_FILE, "write -k times -s bytes", WriteTests::write),
    WRITE_ASYNC("writeAsync", NEW_FILE, "the same with -b writes in flight", WriteTests::writeAsync),
    READ_SEQUENTIAL("readSequential", EXISTING, "read -k times -s bytes, from the begin", ReadTests::sequential),
    READ_RANDOM("readRandom", EXISTING, "read -k times -s bytes, anywhere", ReadTests::random),
    READ_SEQUENTIAL_ASYNC(
            "readSequentialAsync", EXISTING, "read from the begin with -b reads in flight", ReadTests::async),
    READ_MULTI_STREAM(
            "readMultiStream", EXISTING, "read the files of a multifile with -b in flight", ReadTests::multiStream),
    CREATE_FILE("createFile", CONTAINER, "create -k files below -f", NameTests::createFile),
    CREATE_FILE_ASYNC("createFileAsync", CONTAINER, "the same with -b in flight", NameTests::createFileAsync),
    CREATE_MULTI_FILE("createMultiFile", CONTAINER, "create -k multifiles below -f", NameTests::createMultiFile),
    GET_KEY("getKey", EXISTING, "look -f up and read its first -s bytes, -k times", KeyTests::getKey),
    GET_FILE("getFile", EXISTING, "look -f up, -k times", NameTests::getFile),
    GET_FILE_ASYNC("getFileAsync", EXISTING, "the same with -b in flight", NameTests::getFileAsync),
    ENUMERATE_DIR("enumerateDir", EXISTING, "list -f, -k times", NameTests::enumerate),
    BROWSE_DIR("browseDir", EXISTING, "list -f and look up all its children, -k times", NameTests::browse),
    WRITE_INT("writeInt", NEW_FILE, "write -k numbers through a buffered stream", IntTests::write),
    READ_INT("readInt", EXISTING, "read and check -k numbers", IntTests::read),
    SEEK_INT("seekInt", EXISTING, "seek, read and check -k numbers", IntTests::seek),
    READ_MULTI_STREAM_INT("readMultiStreamInt", EXISTING, "read -k numbers of a multifile", IntTests::multiStream),
    PUT("put", TABLE, "put -k values of -s bytes into the table -f", KeyTests::put),
    GET("get", EXISTING, "get -k values of -s bytes from the table -f", KeyTests::get),
    EARLY("early", CONTAINER, "create -k files and write -s bytes before each is created", KeyTests::early),
    COLLECTION("collection", NONE, "add to and take from queues, -k times", LocalTests::collection),
    PRINT_LOCATION_CLASS("printLocationclass", NONE, "show this host's location class", LocalTests::locationClass),
    LOCATION_MAP("locationMap", NONE, "show what crail.locationmap says", LocalTests::locationMap);

    /** Tests that keep -b operations in flight, or in a queue. */
    private static final Set<BenchType> BATCHED = EnumSet.of(
            WRITE_ASYNC,
            READ_SEQUENTIAL_ASYNC,
            READ_MULTI_STREAM,
            CREATE_FILE_ASYNC,
            GET_FILE_ASYNC,
            READ_MULTI_STREAM_INT,
            COLLECTION);

    private final String label;
    private final Target target;
    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // method references without state
    private final BenchTest test;

    BenchType(String label, Target target, String text, BenchTest test) {
        this.label = label;
        this.target = target;
        this.text = text;
        this.test = test;
    }

    String label() {
        return label;
    }

    Target target() {
        return target;
    }

    String text() {
        return text;
    }

    /** Whether -b has an effect. */
    boolean isBatched() {
        return BATCHED.contains(this);
    }

    BenchTest test() {
        return test;
    }

    /** What a test does with -f. */
    enum Target {
        /** Nothing; it needs no store. */
        NONE,
        /** Uses what is there. */
        EXISTING,
        /** Creates a file, one for each thread. */
        NEW_FILE,
        /** Creates nodes below it, and it if it is missing. */
        CONTAINER,
        /** As CONTAINER, but it is a table, whose key-values may be replaced. */
        TABLE
    }
}
