/* SPDX-License-Identifier: Apache-2.0 */

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
import org.apache.crail.CrailStatistics;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.core.DirectoryInputStream;
import org.apache.crail.core.DirectoryRecord;
import org.apache.crail.memory.BufferCache;
import org.apache.crail.utils.MultiFuture;

/**
 * A client in the style of Crail 1.2: factories of the configuration, many operations in flight, early nodes. Compiled
 * against Crail 1.2, run on this release.
 */
public final class Client12 implements CrailStatistics.StatisticsProvider {
    private final CrailStore store;
    private final String base;
    private int parts;

    private Client12(CrailStore store, String base) {
        this.store = store;
        this.base = base;
    }

    public static void main(String[] args) throws Exception {
        CrailConfiguration conf = CrailConfiguration.createConfigurationFromFile(System.getenv("CRAIL_HOME") + "/conf/crail-site.conf");
        conf.set(CrailConstants.SINGLETON_KEY, "false");
        conf.setInt(CrailConstants.BUFFER_SIZE_KEY, 256 * 1024);
        conf.setInt(CrailConstants.SLICE_SIZE_KEY, 64 * 1024);
        check(!conf.getBoolean(CrailConstants.SINGLETON_KEY, true), "a value that was set");
        check(CrailConfiguration.createEmptyConfiguration().get(CrailConstants.SINGLETON_KEY) == null, "an empty one");
        CrailStore store = CrailStore.newInstance(conf);
        check(CrailConstants.BUFFER_SIZE == 256 * 1024, "constants of the last store");
        Client12 client = new Client12(store, "/client12");
        store.getStatistics().addProvider(client);
        client.run();
        store.close();
        store.getStatistics().print("after close");
        System.out.println("compatible with 1.2");
    }

    private void run() throws Exception {
        create(base, CrailNodeType.DIRECTORY).get().syncDir();
        manyAtOnce();
        earlyNodes();
        appends();
        dataStore();
        store.delete(base, true).get(10, TimeUnit.SECONDS);
        check(store.lookup(base).get() == null, "nothing is left");
        passed("namespace");
    }

    private Upcoming<CrailNode> create(String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true);
    }

    private void manyAtOnce() throws Exception {
        List<Upcoming<CrailNode>> creations = new ArrayList<Upcoming<CrailNode>>();
        for (int i = 0; i < 100; i++) {
            creations.add(create(base + "/many-" + i, CrailNodeType.DATAFILE));
        }
        for (Upcoming<CrailNode> creation : creations) {
            creation.get().syncDir();
        }
        List<Upcoming<CrailNode>> lookups = new ArrayList<Upcoming<CrailNode>>();
        for (int i = 0; i < 101; i++) {
            lookups.add(store.lookup(base + "/many-" + i));
        }
        for (int i = 0; i < 100; i++) {
            check(lookups.get(i).get(10, TimeUnit.SECONDS).getCapacity() == 0, "an empty file");
        }
        check(lookups.get(100).get() == null, "nothing there");
        passed("many at once");
    }

    private void earlyNodes() throws Exception {
        CrailFile file = create(base + "/early", CrailNodeType.DATAFILE).early().asFile();
        CrailOutputStream out = file.getDirectOutputStream(Integer.MAX_VALUE);
        Total total = new Total();
        List<CrailBuffer> buffers = new ArrayList<CrailBuffer>();
        for (int i = 0; i < 8; i++) {
            CrailBuffer buffer = store.allocateBuffer();
            check(buffer.capacity() == CrailConstants.BUFFER_SIZE, "the size of buffers");
            total.add(out.write(buffer));
            buffers.add(buffer);
        }
        check(total.get().longValue() == 8L * CrailConstants.BUFFER_SIZE, "the sum of all writes");
        out.sync().get();
        out.close();
        for (CrailBuffer buffer : buffers) {
            store.freeBuffer(buffer);
        }
        CrailBufferedInputStream in = store.lookup(base + "/early").get().asFile().getBufferedInputStream(0);
        check(in.skip(100) == 100 && in.position() == 100, "skipping");
        in.close();
        passed("early nodes");
    }

    private void appends() throws Exception {
        CrailFile file = create(base + "/appends", CrailNodeType.DATAFILE).get().asFile();
        for (int i = 0; i < 3; i++) {
            CrailBufferedOutputStream out = file.getBufferedOutputStream(0);
            out.write(new byte[1000]);
            check(out.position() == 1000, "counted from the opening");
            out.close();
            check(file.getCapacity() == 1000L * (i + 1), "the capacity grows");
        }
        CrailInputStream in = file.getDirectInputStream(0);
        CrailBuffer buffer = store.allocateBuffer();
        Future<CrailResult> read = in.read(buffer);
        check(read.get().getLen() == 3000 && in.position() == 3000, "all of it");
        in.close();
        store.freeBuffer(buffer);
        passed("appends");
    }

    private void dataStore() throws Exception {
        CoreDataStore core = (CoreDataStore) store;
        core.ping();
        check(core.getFsId() >= 0 && core.getLocationClass().value() > 0, "ids");
        check(core.getBlockLocations(base + "/early", 0, 10).length == 1, "one block");
        BufferCache cache = core.getBufferCache();
        CrailBuffer buffer = cache.allocateBuffer();
        cache.freeBuffer(buffer);
        check(cache.printStatistics().contains("cacheGet"), "statistics of buffers");
        DirectoryInputStream names = core.listEntries(base);
        int valid = 0;
        while (names.hasRecord()) {
            DirectoryRecord record = names.nextRecord();
            if (record.isValid()) {
                check(record.getParent().equals(base) && !record.getFile().isEmpty(), "records");
                valid++;
            }
        }
        names.close();
        check(valid == 102, "102 names, not " + valid);
        passed("data store");
    }

    private void passed(String part) {
        parts++;
        System.out.println("ok " + part);
    }

    @Override
    public String providerName() {
        return "client/12";
    }

    @Override
    public String printStatistics() {
        return "parts " + parts;
    }

    @Override
    public void mergeStatistics(CrailStatistics.StatisticsProvider provider) {}

    @Override
    public void resetStatistics() {
        parts = 0;
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("not as it should be: " + what);
        }
    }

    /** The sum of the bytes of several writes. */
    private static final class Total extends MultiFuture<CrailResult, Long> {
        private long sum;

        @Override
        public void aggregate(CrailResult result) {
            sum += result.getLen();
        }

        @Override
        public Long getAggregate() {
            return sum;
        }
    }
}
