/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.simulation.model.KeyHistory;
import org.apache.crail.simulation.model.Model;
import org.apache.crail.simulation.model.Session;

/**
 * A program with a store of its own: keeps handles, creates, appends, puts, replaces, moves, deletes and reads, and
 * tells the model of all of it. Runs as one thread of its process.
 */
final class Client implements Runnable {
    private static final int MOST_HANDLES = 6;

    /** Below this, choices are of files only, and leave them where they are. */
    private static final int MOST_OF_DUELS = 80;

    private static final int MOST_BYTES = 28_000;

    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private final Cluster cluster;
    private final Settings settings;
    private final Model model;
    private final History history;
    private final SplittableRandom random;
    private final boolean isLocal;
    private final List<Handle> handles = new ArrayList<>();
    private final List<Writer> writers = new ArrayList<>();
    private CoreDataStore store;
    private String doing = "starting";
    private boolean ended;

    /** A node that the client has, and what it wrote through this very object. */
    private static final class Handle {
        final CrailFile file;
        final long fd;
        Session own;

        Handle(CrailFile file) {
            this.file = file;
            this.fd = file.getFd();
        }
    }

    /** An open stream. */
    private static final class Writer {
        final Handle handle;
        final CrailOutputStream direct;
        final CrailBufferedOutputStream buffered;
        final Session session;
        long position;

        Writer(
                Handle handle,
                CrailOutputStream direct,
                CrailBufferedOutputStream buffered,
                Session session,
                long from) {
            this.handle = handle;
            this.direct = direct;
            this.buffered = buffered;
            this.session = session;
            this.position = from;
        }
    }

    Client(
            Scheduler scheduler,
            SimulatedProcess process,
            Cluster cluster,
            Settings settings,
            Model model,
            History history) {
        this.scheduler = scheduler;
        this.process = process;
        this.cluster = cluster;
        this.settings = settings;
        this.model = model;
        this.history = history;
        this.random = scheduler.random().split();
        this.isLocal = random.nextBoolean();
    }

    SimulatedProcess process() {
        return process;
    }

    boolean hasEnded() {
        return ended;
    }

    String doing() {
        return doing;
    }

    @Override
    public void run() {
        for (int i = 0; i < settings.operations(); i++) {
            if (store == null) {
                attempt("open store", this::open);
            } else {
                step();
            }
            scheduler.pause(1 + random.nextLong(1 + random.nextLong(settings.mostThinkMs() * 1_000_000)));
        }
        while (!writers.isEmpty()) {
            close(writers.get(0));
        }
        if (store != null) {
            attempt("close store", () -> store.close());
        }
        ended = true;
    }

    private void step() {
        int choice = random.nextInt(settings.duels() ? MOST_OF_DUELS : 100);
        if (writers.isEmpty() && choice >= 28 && choice < 60) {
            choice = 27;
        }
        if (handles.isEmpty() && choice >= 18 && choice < 80) {
            choice = random.nextInt(18);
        }
        if (choice < 8) {
            createFile();
        } else if (choice < 18) {
            lookup();
        } else if (choice < 28) {
            append();
        } else if (choice < 46) {
            withWriter(this::write);
        } else if (choice < 52) {
            withWriter(this::sync);
        } else if (choice < 60) {
            withWriter(this::close);
        } else if (choice < 80) {
            withHandle(this::read);
        } else if (choice < 87) {
            put();
        } else if (choice < 94) {
            get();
        } else if (choice < 96) {
            delete();
        } else if (choice < 98) {
            move();
        } else {
            deleteKey();
        }
    }

    private void open() throws Exception {
        store = cluster.open(isLocal);
        Object ignored = attempt("create /t", () -> create("/t", CrailNodeType.TABLE));
    }

    /** Something that may fail. */
    private interface Action {
        void run() throws Exception;
    }

    /** Does something; answers its typed failure, null if it succeeded. */
    private CrailException attempt(String what, Action action) {
        doing = what;
        history.add(what);
        try {
            action.run();
            return null;
        } catch (CrailException e) {
            return failed(what, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException typed) {
                return failed(what, typed);
            }
            return untyped(what, e.getCause());
        } catch (Exception e) {
            return untyped(what, e);
        } finally {
            doing = "thinking after " + what;
        }
    }

    private CrailException failed(String what, CrailException failure) {
        history.add("  " + what + " failed: " + failure.code() + " " + failure.getMessage());
        if (failure.code() == ErrorCode.INTERNAL) {
            history.broken(Promise.TYPED, what + ": " + failure);
        }
        return failure;
    }

    private CrailException untyped(String what, Throwable failure) {
        history.broken(Promise.TYPED, what + " failed with " + failure);
        return ErrorCode.INTERNAL.exception(String.valueOf(failure));
    }

    private String filePath() {
        return "/f" + random.nextInt(settings.files());
    }

    private String keyPath() {
        return "/t/k" + random.nextInt(settings.keys());
    }

    private CrailNode create(String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, random.nextBoolean())
                .get();
    }

    private void keep(Handle handle) {
        handles.add(handle);
        if (handles.size() > MOST_HANDLES) {
            handles.remove(random.nextInt(handles.size() - 1));
        }
    }

    private void withHandle(Consumer<Handle> use) {
        if (!handles.isEmpty()) {
            use.accept(handles.get(random.nextInt(handles.size())));
        }
    }

    private void withWriter(Consumer<Writer> use) {
        if (!writers.isEmpty()) {
            use.accept(writers.get(random.nextInt(writers.size())));
        }
    }

    private long hint() {
        return random.nextInt(3) == 0 ? random.nextInt(2 * MOST_BYTES) : 0;
    }

    private int size() {
        return switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(300);
            case 1 -> 1 + random.nextInt(2_000);
            case 2 -> 1 + random.nextInt(6_000);
            default -> 1 + random.nextInt(MOST_BYTES);
        };
    }

    private void createFile() {
        String path = filePath();
        attempt("create " + path, () -> {
            Handle handle = new Handle(create(path, CrailNodeType.DATAFILE).asFile());
            history.add("  " + path + " is " + Long.toHexString(handle.fd));
            keep(handle);
            open(handle, true);
        });
    }

    private void append() {
        withHandle(handle -> {
            boolean isWriting = writers.stream().anyMatch(writer -> writer.handle == handle);
            if (!isWriting && handle.file.getType() == CrailNodeType.DATAFILE) {
                attempt("append to " + name(handle), () -> open(handle, false));
            }
        });
    }

    private void open(Handle handle, boolean isNew) throws Exception {
        long hint = hint();
        boolean isBuffered = random.nextBoolean();
        CrailOutputStream direct = null;
        CrailBufferedOutputStream buffered = null;
        long least = model.leastCapacity(handle.fd);
        long beginNs = scheduler.nanoTime();
        if (isBuffered) {
            buffered = isNew ? handle.file.getBufferedOutputStream(hint) : handle.file.openBufferedForAppend(hint);
        } else {
            direct = isNew ? handle.file.getDirectOutputStream(hint) : handle.file.openForAppend(hint);
        }
        long from = isBuffered ? handle.file.getCapacity() : direct.position();
        history.add("  opened at " + from + ", least " + least);
        Session session = model.open(handle.fd, from, least, beginNs, scheduler.nanoTime());
        handle.own = session;
        writers.add(new Writer(handle, direct, buffered, session, from));
    }

    private void write(Writer writer) {
        int length = size();
        attempt("write " + writer.position + " + " + length + " to " + name(writer.handle), () -> {
            writer.session.writing(writer.position + length);
            byte[] bytes = writer.session.bytes(writer.position, length);
            long begin = writer.position;
            writer.position += length;
            if (writer.buffered != null) {
                writer.buffered.write(bytes);
                return;
            }
            CrailBuffer buffer = store.allocateBuffer();
            buffer.clear();
            buffer.put(bytes);
            buffer.flip();
            Future<CrailResult> written = writer.direct.write(buffer);
            if (random.nextInt(4) > 0) {
                written.get();
                store.freeBuffer(buffer);
            }
            history.add("  wrote from " + begin);
        });
    }

    private void sync(Writer writer) {
        long target = writer.position;
        CrailException failure = attempt("sync " + name(writer.handle) + " at " + target, () -> {
            Future<Void> synced = writer.buffered != null ? writer.buffered.sync() : writer.direct.sync();
            await(synced);
        });
        if (failure == null) {
            writer.session.acknowledged(target);
        }
    }

    private <T> T await(Future<T> future) throws Exception {
        if (!future.isDone()) {
            scheduler.await(future, Long.MAX_VALUE);
        }
        return future.get();
    }

    private void close(Writer writer) {
        writers.remove(writer);
        long target = writer.position;
        CrailException failure = attempt("close " + name(writer.handle) + " at " + target, () -> closeStream(writer));
        if (failure == null) {
            writer.session.acknowledged(target);
        }
    }

    private static void closeStream(Writer writer) throws Exception {
        if (writer.buffered != null) {
            writer.buffered.close();
        } else {
            writer.direct.close();
        }
    }

    private String name(Handle handle) {
        return handle.file.getPath() + "#" + Long.toHexString(handle.fd);
    }

    private void lookup() {
        String path = filePath();
        attempt("lookup " + path, () -> {
            Map<Long, Long> least = new HashMap<>();
            handles.forEach(handle -> least.put(handle.fd, model.leastCapacity(handle.fd)));
            CrailNode node = store.lookup(path).get();
            if (node != null && node.getType() == CrailNodeType.DATAFILE) {
                Handle handle = new Handle(node.asFile());
                long capacity = handle.file.getCapacity();
                history.add("  " + path + " is " + Long.toHexString(handle.fd) + " of " + capacity);
                model.checkCapacity(handle.fd, capacity, least.getOrDefault(handle.fd, 0L));
                keep(handle);
            }
        });
    }

    private void read(Handle handle) {
        long capacity = handle.file.getCapacity();
        if (capacity <= 0) {
            return;
        }
        int length = (int) Math.min(MOST_BYTES, random.nextInt(3) == 0 ? capacity : Math.min(capacity, size()));
        long position = random.nextLong(capacity - length + 1);
        int way = random.nextInt(3);
        String what = "read " + position + " + " + length + " of " + capacity + " " + name(handle)
                + (way == 0 ? " directly" : way == 1 ? " at position" : " buffered");
        Object ignored = attempt(what, () -> read(handle, position, length, way, what));
    }

    private void read(Handle handle, long position, int length, int way, String what) throws Exception {
        byte[] bytes = new byte[length];
        int count;
        if (way == 0) {
            CrailInputStream in = handle.file.getDirectInputStream(random.nextBoolean() ? length : 0);
            CrailBuffer buffer = store.allocateBuffer();
            buffer.clear();
            buffer.limit(length);
            in.seek(position);
            CrailResult result = in.read(buffer).get();
            count = result == null ? 0 : (int) result.getLen();
            buffer.flip();
            buffer.get(bytes, 0, Math.min(count, length));
            store.freeBuffer(buffer);
            in.close();
        } else {
            CrailBufferedInputStream in = handle.file.getBufferedInputStream(random.nextBoolean() ? length : 0);
            try {
                if (way == 1) {
                    count = in.read(position, bytes, 0, length);
                } else {
                    in.seek(position);
                    count = in.read(bytes, 0, length);
                }
            } finally {
                in.close();
            }
        }
        model.checkBytes(what, handle.fd, position, bytes, Math.max(count, 0), handle.own);
    }

    private void put() {
        String path = keyPath();
        int length = random.nextInt(3) == 0 ? size() : 1 + random.nextInt(1_000);
        long beginNs = scheduler.nanoTime();
        KeyHistory.Change put = model.key(path).put(length, beginNs);
        Writer[] opened = new Writer[1];
        CrailException failure = attempt("put " + path + " " + length, () -> {
            Handle handle = new Handle(create(path, CrailNodeType.KEYVALUE).asKeyValue());
            put.made(handle.fd);
            history.add("  " + path + " is going to be " + Long.toHexString(handle.fd));
            long nowNs = scheduler.nanoTime();
            Session session = model.open(handle.fd, 0, 0, nowNs, nowNs);
            handle.own = session;
            CrailBufferedOutputStream out = handle.file.getBufferedOutputStream(length);
            opened[0] = new Writer(handle, null, out, session, 0);
            session.writing(length);
            int first = random.nextBoolean() ? length : random.nextInt(length);
            byte[] bytes = session.bytes(0, length);
            out.write(bytes, 0, first);
            if (random.nextInt(8) == 0) {
                scheduler.pause(1 + random.nextLong(settings.mostThinkMs() * 1_000_000));
            }
            out.write(bytes, first, length - first);
            Writer writer = opened[0];
            opened[0] = null;
            out.close();
            writer.session.acknowledged(length);
            put.done(scheduler.nanoTime());
            keep(handle);
            history.add("  put " + path + " is done");
        });
        if (opened[0] != null) {
            Writer writer = opened[0];
            attempt("close the failed put of " + path, () -> closeStream(writer));
        }
        boolean isLost = scheduler.nanoTime() - beginNs >= settings.tokenMs() * 1_000_000;
        boolean isStale = failure != null && failure.code() == ErrorCode.STALE_NODE;
        if (isStale && !isLost && model.key(path).isOnlyPutSince(put)) {
            history.broken(Promise.LAST_PUT_WINS, "the put of " + path + " failed: " + failure.getMessage());
        }
    }

    private void get() {
        String path = keyPath();
        long beginNs = scheduler.nanoTime();
        attempt("get " + path, () -> {
            CrailNode node = store.lookup(path).get();
            long endNs = scheduler.nanoTime();
            if (node == null) {
                report(model.key(path).wrongIfMissing(beginNs), path);
                return;
            }
            Handle handle = new Handle(node.asKeyValue());
            long capacity = handle.file.getCapacity();
            history.add("  " + path + " is " + Long.toHexString(handle.fd) + " of " + capacity);
            report(model.key(path).wrong(handle.fd, capacity, beginNs, endNs), path);
            keep(handle);
            if (capacity > 0) {
                read(handle, 0, (int) capacity, random.nextInt(3), "get " + path);
            }
        });
    }

    private void report(String wrong, String path) {
        if (wrong != null) {
            history.broken(Promise.ATOMIC_PUT, path + ": " + wrong);
        }
    }

    private void delete() {
        String path = filePath();
        attempt("delete " + path, () -> store.delete(path, false).get());
    }

    private void deleteKey() {
        String path = keyPath();
        KeyHistory.Change delete = model.key(path).delete(scheduler.nanoTime());
        if (attempt("delete " + path, () -> store.delete(path, false).get()) == null) {
            delete.done(scheduler.nanoTime());
        }
    }

    private void move() {
        String source = filePath();
        String target = filePath();
        MoveMode mode = random.nextBoolean() ? MoveMode.REPLACE : MoveMode.EXACT;
        attempt(
                "move " + source + " to " + target + " " + mode,
                () -> store.namespace().move(source, target, mode).get());
    }

    /** Looks at everything once more, when nothing goes wrong any more. */
    void lookAtAll() {
        while (store == null) { // a stopped server goes on soon
            attempt("open store", () -> store = cluster.open(isLocal));
        }
        for (int i = 0; i < settings.files(); i++) {
            String path = "/f" + i;
            attempt("look at " + path, () -> {
                CrailNode node = store.lookup(path).get();
                if (node != null && node.getType() == CrailNodeType.DATAFILE) {
                    Handle handle = new Handle(node.asFile());
                    model.checkCapacity(handle.fd, handle.file.getCapacity(), model.leastCapacity(handle.fd));
                    readAll(handle);
                }
            });
        }
        for (int i = 0; i < settings.keys(); i++) {
            String path = "/t/k" + i;
            long beginNs = scheduler.nanoTime();
            attempt("look at " + path, () -> {
                CrailNode node = store.lookup(path).get();
                if (node == null) {
                    report(model.key(path).wrongIfMissing(beginNs), path);
                } else {
                    Handle handle = new Handle(node.asKeyValue());
                    report(model.key(path).wrong(handle.fd, node.getCapacity(), beginNs, scheduler.nanoTime()), path);
                    readAll(handle);
                }
            });
        }
        attempt("close store", () -> store.close());
        ended = true;
    }

    private void readAll(Handle handle) throws Exception {
        long capacity = handle.file.getCapacity();
        for (long from = 0; from < capacity; from += MOST_BYTES) {
            read(handle, from, (int) Math.min(MOST_BYTES, capacity - from), 0, "the last look at " + name(handle));
        }
    }
}
