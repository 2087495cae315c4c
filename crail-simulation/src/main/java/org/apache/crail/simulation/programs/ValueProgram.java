/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.concurrent.Future;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.model.KeyHistory;
import org.apache.crail.simulation.model.Session;

/** Puts values under keys and replaces files, reads and deletes them. Confined to one program. */
final class ValueProgram {
    /** Of keys; in some seeds the values in it go when the store is nearly full. */
    static final String TABLE = "/t";

    private final Bench bench;
    private final Reads reads;
    private final boolean isMostlyValues;

    ValueProgram(Bench bench, Reads reads) {
        this.bench = bench;
        this.reads = reads;
        this.isMostlyValues = bench.settings.focus() == Focus.VALUES;
    }

    void createTable() {
        bench.attempt("create " + TABLE, () -> create(TABLE, CrailNodeType.TABLE));
    }

    /** A key, or the path of a file that is written by replacing only. */
    static String path(int number) {
        return number == 0 ? "/r" : TABLE + "/k" + number;
    }

    /** How many such paths a seed has. */
    static int paths(Settings settings) {
        return 1 + settings.keys();
    }

    private String anyPath() {
        return path(bench.random.nextInt(4) == 0 ? 0 : 1 + bench.random.nextInt(bench.settings.keys()));
    }

    private static boolean isKey(String path) {
        return path.startsWith(TABLE);
    }

    private CrailNode create(String path, CrailNodeType type) throws Exception {
        return bench.store
                .create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, bench.random.nextBoolean())
                .get();
    }

    private CrailFile createForPut(String path) throws Exception {
        return isKey(path)
                ? create(path, CrailNodeType.KEYVALUE).asKeyValue()
                : bench.store
                        .namespace()
                        .create(
                                path,
                                CrailNodeType.DATAFILE,
                                CrailStorageClass.PARENT,
                                CrailLocationClass.PARENT,
                                null,
                                true)
                        .get()
                        .asFile();
    }

    void put() {
        String path = anyPath();
        int length = bench.random.nextInt(3) == 0 ? bench.size() : 1 + bench.random.nextInt(1_000);
        long beginNs = bench.nowNs();
        KeyHistory.Put put = bench.model.key(path).put(length, !isKey(path), beginNs);
        boolean isEvictable = bench.settings.evicts() && isKey(path);
        if (isEvictable) { // that of a lost writer
            put.mayVanishFrom(beginNs + 2 * bench.settings.tokenMs() * 1_000_000);
        }
        OpenStream[] opened = new OpenStream[1];
        CrailException failure = bench.attempt("put " + path + " " + length, () -> {
            Handle handle = new Handle(createForPut(path));
            put.made(handle.fd, bench.nowNs());
            bench.model.created(handle.fd);
            bench.history.add("  " + path + " is going to be " + Long.toHexString(handle.fd));
            long nowNs = bench.nowNs();
            Session session = bench.model.open(handle.fd, 0, 0, nowNs, nowNs);
            handle.own = session;
            CrailBufferedOutputStream out = handle.file.getBufferedOutputStream(length);
            opened[0] = new OpenStream(handle, null, out, session, 0);
            session.writing(length);
            boolean isShown = writeInParts(put, opened[0], length);
            OpenStream stream = opened[0];
            opened[0] = null;
            KeyHistory.Change whole = put.shows(length, bench.nowNs());
            if (isEvictable) {
                put.mayVanishFrom(bench.nowNs());
            }
            stream.close();
            stream.session.acknowledged(length);
            if (!isShown) { // a close without news waits for nobody
                whole.done(bench.nowNs());
            }
            bench.keep(handle);
            bench.history.add("  put " + path + " is done");
        });
        if (opened[0] != null) {
            if (isEvictable) {
                put.mayVanishFrom(bench.nowNs());
            }
            bench.attempt("close the failed put of " + path, opened[0]::close);
        }
        boolean isLost = bench.nowNs() - beginNs >= bench.settings.tokenMs() * 1_000_000;
        boolean isStale = failure != null && failure.code() == ErrorCode.STALE_NODE;
        if (isStale && !isLost && isKey(path) && bench.model.key(path).isOnlyPutSince(put)) {
            bench.history.broken(Promise.LAST_PUT_WINS, "the put of " + path + " failed: " + failure.getMessage());
        }
    }

    /** At once or in two parts, of which the first may be shown; answers whether all has been. */
    private boolean writeInParts(KeyHistory.Put put, OpenStream stream, int length) throws Exception {
        int first = bench.random.nextBoolean() ? length : bench.random.nextInt(length);
        byte[] bytes = stream.session.bytes(0, length);
        stream.buffered.write(bytes, 0, first);
        boolean isSynced = first > 0 && bench.random.nextInt(isMostlyValues ? 2 : 4) == 0;
        if (isSynced) {
            KeyHistory.Change part = put.shows(first, bench.nowNs());
            Future<Void> synced = stream.sync();
            bench.mayBreakConnection();
            bench.await(synced);
            stream.session.acknowledged(first);
            part.done(bench.nowNs());
        }
        if (bench.random.nextInt(isMostlyValues ? 2 : 8) == 0) {
            bench.think();
        }
        stream.buffered.write(bytes, first, length - first);
        return isSynced && first == length;
    }

    void get() {
        String path = anyPath();
        bench.attempt("get " + path, () -> {
            Handle handle = find(path);
            if (handle != null) {
                bench.keep(handle);
                reads.readWhole(handle, "get " + path);
            }
        });
    }

    /** Looks at a path once more. */
    void lookAt(String path) throws Exception {
        Handle handle = find(path);
        if (handle != null) {
            reads.readAll(handle, "the last look");
        }
    }

    private Handle find(String path) throws Exception {
        long beginNs = bench.nowNs();
        CrailNode node = bench.store.lookup(path).get();
        if (node == null) {
            report(bench.model.key(path).wrongIfMissing(beginNs, bench.nowNs()), path);
            return null;
        }
        Handle handle = new Handle(isKey(path) ? node.asKeyValue() : node.asFile());
        long capacity = handle.file.getCapacity();
        bench.history.add("  " + path + " is " + Long.toHexString(handle.fd) + " of " + capacity);
        report(bench.model.key(path).wrong(handle.fd, capacity, beginNs), path);
        return handle;
    }

    private void report(String wrong, String path) {
        if (wrong != null) {
            bench.history.broken(Promise.ATOMIC_PUT, path + ": " + wrong);
        }
    }

    void delete() {
        String path = anyPath();
        KeyHistory.Change delete = bench.model.key(path).delete(bench.nowNs());
        CrailException failure = bench.attempt(
                "delete " + path, () -> bench.store.delete(path, false).get());
        if (failure == null) {
            delete.done(bench.nowNs());
        }
    }
}
