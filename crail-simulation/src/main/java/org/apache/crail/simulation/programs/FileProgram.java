/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.simulation.model.Session;

/** Creates, appends to, moves, deletes and looks up files, and keeps streams open. Confined to one program. */
final class FileProgram {
    private static final String NAMES = "/f";

    private final Bench bench;
    private final List<OpenStream> streams = new ArrayList<>();

    FileProgram(Bench bench) {
        this.bench = bench;
    }

    private String path() {
        return NAMES + bench.random.nextInt(bench.settings.files());
    }

    boolean hasStreams() {
        return !streams.isEmpty();
    }

    void withStream(Consumer<OpenStream> use) {
        if (!streams.isEmpty()) {
            use.accept(streams.get(bench.random.nextInt(streams.size())));
        }
    }

    void closeAll() {
        while (!streams.isEmpty()) {
            close(streams.get(0));
        }
    }

    void create() {
        String path = path();
        bench.attempt("create " + path, () -> {
            CrailNode node = bench.store
                    .create(
                            path,
                            CrailNodeType.DATAFILE,
                            CrailStorageClass.PARENT,
                            CrailLocationClass.PARENT,
                            bench.random.nextBoolean())
                    .get();
            Handle handle = new Handle(node.asFile());
            bench.history.add("  " + path + " is " + Long.toHexString(handle.fd));
            bench.model.created(handle.fd);
            bench.keep(handle);
            open(handle, true);
        });
    }

    void append(Handle handle) {
        boolean isWriting = streams.stream().anyMatch(stream -> stream.handle == handle);
        if (!isWriting && handle.file.getPath().startsWith(NAMES)) {
            bench.attempt("append to " + handle, () -> open(handle, false));
        }
    }

    private void open(Handle handle, boolean isNew) throws Exception {
        long hint = bench.random.nextInt(3) == 0 ? bench.random.nextInt(2 * Bench.MOST_BYTES) : 0;
        boolean isBuffered = bench.random.nextBoolean();
        CrailOutputStream direct = null;
        CrailBufferedOutputStream buffered = null;
        long least = bench.model.leastCapacity(handle.fd);
        long beginNs = bench.nowNs();
        if (isBuffered) {
            buffered = isNew ? handle.file.getBufferedOutputStream(hint) : handle.file.openBufferedForAppend(hint);
        } else {
            direct = isNew ? handle.file.getDirectOutputStream(hint) : handle.file.openForAppend(hint);
        }
        long from = isBuffered ? handle.file.getCapacity() : direct.position();
        bench.history.add("  opened at " + from + ", least " + least);
        Session session = bench.model.open(handle.fd, from, least, beginNs, bench.nowNs());
        handle.own = session;
        streams.add(new OpenStream(handle, direct, buffered, session, from));
    }

    void write(OpenStream stream) {
        int length = bench.size();
        bench.attempt("write " + stream.position + " + " + length + " to " + stream.handle, () -> {
            stream.session.writing(stream.position + length);
            byte[] bytes = stream.session.bytes(stream.position, length);
            long begin = stream.position;
            stream.position += length;
            if (stream.buffered != null) {
                stream.buffered.write(bytes);
                return;
            }
            CrailBuffer buffer = bench.store.allocateBuffer();
            buffer.clear();
            buffer.put(bytes);
            buffer.flip();
            Future<CrailResult> written = stream.direct.write(buffer);
            if (bench.random.nextInt(4) > 0) {
                written.get();
                bench.store.freeBuffer(buffer);
            }
            bench.history.add("  wrote from " + begin);
        });
    }

    void sync(OpenStream stream) {
        long target = stream.position;
        CrailException failure =
                bench.attempt("sync " + stream.handle + " at " + target, () -> bench.await(stream.sync()));
        if (failure == null) {
            stream.session.acknowledged(target);
        }
    }

    void close(OpenStream stream) {
        streams.remove(stream);
        long target = stream.position;
        CrailException failure = bench.attempt("close " + stream.handle + " at " + target, stream::close);
        if (failure == null) {
            stream.session.acknowledged(target);
        }
    }

    void lookup() {
        String path = path();
        bench.attempt("lookup " + path, () -> {
            Map<Long, Long> least = new HashMap<>();
            bench.handles.forEach(handle -> least.put(handle.fd, bench.model.leastCapacity(handle.fd)));
            CrailNode node = bench.store.lookup(path).get();
            if (node != null && node.getType() == CrailNodeType.DATAFILE) {
                Handle handle = new Handle(node.asFile());
                long capacity = handle.file.getCapacity();
                bench.history.add("  " + path + " is " + Long.toHexString(handle.fd) + " of " + capacity);
                bench.model.checkCapacity(handle.fd, capacity, least.getOrDefault(handle.fd, 0L));
                bench.keep(handle);
            }
        });
    }

    void delete() {
        String path = path();
        bench.attempt("delete " + path, () -> bench.store.delete(path, false).get());
    }

    void move() {
        String source = path();
        String target = path();
        MoveMode mode = bench.random.nextBoolean() ? MoveMode.REPLACE : MoveMode.EXACT;
        bench.attempt(
                "move " + source + " to " + target + " " + mode,
                () -> bench.store.namespace().move(source, target, mode).get());
    }
}
