/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.linear.Action.Kind;

/** Makes calls below a directory or table, of which a {@link Recorder} knows. Used by one thread. */
final class RecordedClient {
    private final String name;
    private final TestClient client;
    private final Recorder recorder;
    private final String base;

    RecordedClient(String name, TestClient client, Recorder recorder, String base) {
        this.name = name;
        this.client = client;
        this.recorder = recorder;
        this.base = base;
    }

    private boolean record(Action action, Callable<String> call) throws Exception {
        return recorder.record(name, action, call);
    }

    void createContainer(String path, Kind kind) throws Exception {
        create(Recorder.newId(), path, kind, false);
    }

    /** Creates a file or value and writes it. */
    void write(String path, Kind kind, boolean replace, int... lengths) throws Exception {
        int id = Recorder.newId();
        CrailNode node = create(id, path, kind, replace);
        if (node == null) {
            return;
        }
        CrailFile file = kind == Kind.VALUE ? node.asKeyValue() : node.asFile();
        CrailOutputStream stream = file.getDirectOutputStream(0);
        byte[] all = Pattern.selfDescribing(id, Arrays.stream(lengths).sum());
        int written = 0;
        boolean isWhole = true;
        for (int i = 0; i < lengths.length && isWhole; i++) {
            isWhole = transfer(stream, Arrays.copyOfRange(all, written, written + lengths[i]));
            written += lengths[i];
            if (isWhole && i < lengths.length - 1) {
                isWhole = sync(id, path, written, stream);
            }
        }
        close(stream, isWhole ? Action.close(id, path, written) : null);
    }

    private CrailNode create(int id, String path, Kind kind, boolean replace) throws Exception {
        CrailNode[] created = new CrailNode[1];
        record(Action.create(id, path, kind, replace), () -> {
            created[0] = TestClient.await(creating(base + path, type(kind), replace));
            return NamespaceState.OK;
        });
        return created[0];
    }

    /** Only the other interface creates files that replace others. */
    private Upcoming<CrailNode> creating(String path, CrailNodeType type, boolean replace) throws Exception {
        return replace && type.isDataFile()
                ? client.store()
                        .namespace()
                        .create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, null, true)
                : client.creating(path, type);
    }

    private static String done(Future<?> future) throws Exception {
        Object ignored = TestClient.await(future);
        return NamespaceState.OK;
    }

    /** Whether the bytes are there; a put of which some are missing shows nothing more. */
    private static boolean transfer(CrailOutputStream stream, byte[] bytes) throws Exception {
        try {
            done(stream.write(TestClient.buffer(bytes)));
            return true;
        } catch (CrailException e) {
            Recorder.isInDoubt(e);
            return false;
        }
    }

    /**
     * A sync whose answer is lost is made again. So one that finds its node gone may have shown the bytes before: that
     * is two calls here, one in doubt, and one that looks.
     */
    private boolean sync(int id, String path, int bytes, CrailOutputStream stream) throws Exception {
        long began = recorder.now();
        try {
            recorder.ended(name, Action.sync(id, path, bytes), began, done(stream.sync()));
            return true;
        } catch (CrailException e) {
            recorder.inDoubt(name, Action.sync(id, path, bytes), began);
            if (!Recorder.isInDoubt(e)) {
                recorder.ended(name, Action.seek(id, path), began, e.code().name());
            }
            return false;
        }
    }

    /** Without an action the close changes nothing that anybody sees. */
    private void close(CrailOutputStream stream, Action action) throws Exception {
        if (action != null) {
            record(action, () -> {
                stream.close();
                return NamespaceState.OK;
            });
            return;
        }
        try {
            stream.close();
        } catch (CrailException e) {
            Recorder.isInDoubt(e);
        }
    }

    void delete(String path, boolean recursive) throws Exception {
        record(
                Action.delete(path, recursive),
                () -> client.delete(base + path, recursive) == null ? NamespaceState.NONE : NamespaceState.OK);
    }

    void move(String from, String to, boolean replace) throws Exception {
        MoveMode mode = replace ? MoveMode.REPLACE : MoveMode.EXACT;
        record(
                Action.move(from, to, replace),
                () -> done(client.store().namespace().move(base + from, base + to, mode)));
    }

    /** What a lookup tells is known when it ends; what it leads to is read afterwards. */
    void get(String path) throws Exception {
        long began = recorder.now();
        CrailNode[] found = new CrailNode[1];
        boolean isAnswered = record(Action.lookup(path), () -> {
            found[0] = client.lookup(base + path);
            return found[0] == null ? NamespaceState.NONE : NamespaceState.seen(kind(found[0]), bytes(found[0]));
        });
        if (isAnswered && found[0] != null && !kind(found[0]).isContainer()) {
            CrailFile file = kind(found[0]) == Kind.VALUE ? found[0].asKeyValue() : found[0].asFile();
            try {
                recorder.ended(name, Action.get(path), began, content(TestClient.read(file)));
            } catch (CrailException e) { // a node that has gone meanwhile, or a broken connection
                Recorder.isInDoubt(e);
            }
        }
    }

    /** A page of a listing is right at one moment, so that each name is, at a moment of its own. */
    void list(List<String> paths) throws Exception {
        long began = recorder.now();
        try {
            Set<String> listed = new TreeSet<>();
            Iterator<String> entries = client.lookup(base).asContainer().listEntries();
            while (entries.hasNext()) {
                listed.add(entries.next());
            }
            for (String path : paths) {
                String answer = listed.contains(base + path) ? NamespaceState.LISTED : NamespaceState.NONE;
                recorder.ended(name, Action.list(path), began, answer);
            }
        } catch (CrailException e) {
            Recorder.isInDoubt(e);
        } catch (UncheckedIOException e) {
            if (!(e.getCause() instanceof CrailException failure && Recorder.isInDoubt(failure))) {
                throw e;
            }
        }
    }

    private static String content(byte[] bytes) {
        if (bytes.length == 0) {
            return NamespaceState.content(0, 0);
        }
        int id = (int) ByteBuffer.wrap(bytes).getLong(0);
        Pattern.verifySelfDescribing(bytes);
        return NamespaceState.content(id, bytes.length);
    }

    private static int bytes(CrailNode node) throws Exception {
        return switch (kind(node)) {
            case VALUE -> (int) node.asKeyValue().getCapacity();
            case FILE -> (int) node.asFile().getCapacity();
            default -> 0;
        };
    }

    private static CrailNodeType type(Kind kind) {
        return switch (kind) {
            case DIRECTORY -> CrailNodeType.DIRECTORY;
            case TABLE -> CrailNodeType.TABLE;
            case FILE -> CrailNodeType.DATAFILE;
            case VALUE -> CrailNodeType.KEYVALUE;
        };
    }

    private static Kind kind(CrailNode node) {
        return switch (node.getType()) {
            case DIRECTORY -> Kind.DIRECTORY;
            case TABLE -> Kind.TABLE;
            case DATAFILE -> Kind.FILE;
            case KEYVALUE -> Kind.VALUE;
            default -> throw new AssertionError("nobody has created a " + node.getType());
        };
    }
}
