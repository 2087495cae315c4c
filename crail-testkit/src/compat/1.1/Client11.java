/* SPDX-License-Identifier: Apache-2.0 */

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailDirectory;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailMultiFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.utils.CrailImmediateOperation;
import org.apache.crail.utils.CrailUtils;
import org.apache.crail.utils.RingBuffer;

/**
 * A client in the style of Crail 1.1: the public constructor of the configuration, blocking use of futures. Compiled
 * against Crail 1.1, run on this release.
 */
public final class Client11 {
    private final CrailStore store;
    private final String base;

    private Client11(CrailStore store, String base) {
        this.store = store;
        this.base = base;
    }

    public static void main(String[] args) throws Exception {
        CrailConfiguration conf = new CrailConfiguration();
        CrailConstants.updateConstants(conf);
        CrailConstants.printConf();
        CrailConstants.verify();
        CrailStore store = CrailStore.newInstance(conf);
        CrailStore again = CrailStore.newInstance(conf);
        check(!CrailConstants.SINGLETON || store == again, "one store per JVM");
        again.close();
        Client11 client = new Client11(store, "/client11");
        client.run();
        store.getStatistics().print("close");
        store.close();
        System.out.println("compatible with 1.1");
    }

    private void run() throws Exception {
        create(base, CrailNodeType.DIRECTORY).syncDir();
        directStreams();
        bufferedStreams();
        multiFile();
        keyValues();
        namespace();
        helpers();
        check(store.delete(base, true).get().getPath().equals(base), "deleted");
        check(store.lookup(base).get() == null, "nothing is left");
        System.out.println("ok namespace");
    }

    private CrailNode create(String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                .get();
    }

    private void directStreams() throws Exception {
        CrailFile file = create(base + "/direct", CrailNodeType.DATAFILE).asFile();
        int size = CrailConstants.BUFFER_SIZE;
        int buffers = 5;
        CrailOutputStream out = file.getDirectOutputStream((long) buffers * size);
        RingBuffer<Future<CrailResult>> inFlight = new RingBuffer<Future<CrailResult>>(2);
        RingBuffer<CrailBuffer> used = new RingBuffer<CrailBuffer>(2);
        for (int i = 0; i < buffers; i++) {
            if (inFlight.remaining() == 0) {
                check(inFlight.poll().get().getLen() == size, "whole buffers are written");
                store.freeBuffer(used.poll());
            }
            CrailBuffer buffer = store.allocateBuffer();
            buffer.clear();
            while (buffer.remaining() >= 8) {
                buffer.putLong(i);
            }
            buffer.clear();
            inFlight.add(out.write(buffer));
            used.add(buffer);
        }
        while (!inFlight.isEmpty()) {
            inFlight.poll().get();
            store.freeBuffer(used.poll());
        }
        check(out.position() == (long) buffers * size, "the position of the writer");
        out.close();

        CrailFile found = store.lookup(base + "/direct").get().asFile();
        check(found.getCapacity() == (long) buffers * size, "the capacity after close");
        CrailInputStream in = found.getDirectInputStream(found.getCapacity());
        OffHeapBuffer target = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(1000));
        in.seek(3L * size - 8);
        check(in.read(target).get().getLen() == 1000, "a read across buffers");
        target.clear();
        check(target.getLong() == 2 && target.getLong() == 3, "the bytes around a boundary");
        in.seek(found.getCapacity());
        target.clear();
        check(in.available() == 0 && in.read(target) == null, "null at the end");
        in.close();
        CrailBlockLocation[] locations = found.getBlockLocations(0, found.getCapacity());
        long covered = 0;
        for (CrailBlockLocation location : locations) {
            check(location.getOffset() == covered && location.getHosts().length > 0, "locations in order");
            check(location.getNames()[0].contains(":") && location.getTopology().length > 0, "names of locations");
            covered += location.getLength();
        }
        check(covered >= found.getCapacity(), "locations cover the file");
        System.out.println("ok direct streams");
    }

    private void bufferedStreams() throws Exception {
        CrailFile file = create(base + "/buffered", CrailNodeType.DATAFILE).asFile();
        CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
        byte[] line = "The quick brown fox jumps over the lazy dog\n".getBytes("UTF-8");
        for (int i = 0; i < 50000; i++) {
            out.writeInt(i);
            out.writeLong(-i);
            out.writeShort((short) i);
            out.writeFloat(i / 2f);
            out.writeDouble(i / 3d);
            out.write(line);
        }
        out.purge().get();
        out.sync().get();
        long length = out.position();
        out.close();

        CrailBufferedInputStream in = store.lookup(base + "/buffered").get().asFile().getBufferedInputStream(length);
        byte[] read = new byte[line.length];
        for (int i = 0; i < 50000; i++) {
            while (in.available() < 26) {
                Thread.yield();
            }
            check(in.readInt() == i && in.readLong() == -i && in.readShort() == (short) i, "whole numbers");
            check(in.readFloat() == i / 2f && in.readDouble() == i / 3d, "fractions");
            check(in.read(read) == line.length && read[4] == 'q', "lines");
        }
        check(in.read() == -1 && in.position() == length, "the end");
        check(in.read(length - line.length, read, 0, 3) == 3 && read[0] == 'T', "a read at a position");
        in.seek(length - 2);
        try {
            in.readInt();
            throw new IllegalStateException("two bytes are no int");
        } catch (EOFException e) {
            in.close();
        }
        System.out.println("ok buffered streams");
    }

    private void multiFile() throws Exception {
        CrailMultiFile bag = create(base + "/bag", CrailNodeType.MULTIFILE).asMultiFile();
        int files = 20;
        for (int i = 0; i < files; i++) {
            CrailFile file = create(base + "/bag/" + i, CrailNodeType.DATAFILE).asFile();
            CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
            for (int j = 0; j < 1000; j++) {
                out.writeInt(i);
            }
            out.close();
            file.syncDir();
        }
        CrailBufferedInputStream in = bag.getMultiStream(4);
        int[] seen = new int[files];
        for (int i = 0; i < files * 1000; i++) {
            seen[in.readInt()]++;
        }
        for (int count : seen) {
            check(count == 1000, "each file once");
        }
        check(in.read() == -1, "the end of the bag");
        in.close();
        System.out.println("ok multi-file");
    }

    private void keyValues() throws Exception {
        create(base + "/table", CrailNodeType.TABLE).asTable();
        for (int version = 1; version <= 2; version++) {
            CrailKeyValue value = create(base + "/table/key", CrailNodeType.KEYVALUE).asKeyValue();
            CrailOutputStream out = value.getDirectOutputStream(0);
            CrailBuffer buffer = store.allocateBuffer();
            buffer.putInt(version).flip();
            out.write(buffer).get();
            out.close();
            store.freeBuffer(buffer);
        }
        CrailKeyValue value = store.lookup(base + "/table/key").get().asKeyValue();
        CrailBuffer buffer = store.allocateBuffer();
        buffer.clear().limit((int) value.getCapacity());
        CrailInputStream in = value.getDirectInputStream(value.getCapacity());
        in.read(buffer).get();
        in.close();
        buffer.flip();
        check(buffer.getInt() == 2, "the last put wins");
        store.freeBuffer(buffer);
        System.out.println("ok key-values");
    }

    private void namespace() throws Exception {
        CrailNode file = create(base + "/a", CrailNodeType.DATAFILE);
        file.syncDir();
        check(file.getType() == CrailNodeType.DATAFILE && file.getType().getLabel() == 0, "types");
        check(store.rename(base + "/a", base + "/b").get() != null, "renamed");
        check(store.lookup(base + "/a").get() == null, "the old name is gone");
        check(store.rename(base + "/a", base + "/c").get() == null, "nothing to rename");
        check(store.delete(base + "/a", false).get() == null, "nothing to delete");
        store.lookup(base + "/b").get().syncDir();
        CrailDirectory directory = store.lookup(base).get().asDirectory();
        Set<String> names = new HashSet<String>();
        for (Iterator<String> entries = directory.listEntries(); entries.hasNext(); ) {
            names.add(CrailUtils.getName(entries.next()));
        }
        check(names.contains("b") && names.contains("bag") && !names.contains("a"), "names " + names);
        try {
            directory.asFile();
            throw new IllegalStateException("a directory is no file");
        } catch (IllegalStateException e) {
            throw e;
        } catch (Exception e) {
            check(e.getMessage() != null, "a mismatch is explained");
        }
    }

    private static void helpers() throws Exception {
        CrailImmediateOperation done = new CrailImmediateOperation(7);
        check(done.isDone() && done.get().getLen() == 7, "an operation that is done");
        check(CrailUtils.combinePath("/a", "b").equals("/a/b"), "paths");
        check(CrailUtils.getParent("/a/b").equals("/a"), "parents");
        check(CrailUtils.getNameNodeAddress().getPort() > 0, "the namenode");
        check(CrailLocationClass.get(3).value() == 3 && CrailStorageClass.PARENT.value() == -1, "classes");
        System.out.println("ok helpers");
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("not as it should be: " + what);
        }
    }
}
