/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.namenode.NameNodeService;
import org.apache.crail.namenode.NamenodeClock;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.server.MetadataService;

/** A namenode's service, a datanode and stores in this process, with a clock that can be put forward. */
final class TestCluster {
    static final int BLOCK = 4096;
    static final long TOKEN_MS = 60_000;

    private final AtomicLong aheadNs = new AtomicLong();
    private final NamenodeClock clock = new NamenodeClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime() + aheadNs.get();
        }

        @Override
        public long currentTimeMillis() {
            return System.currentTimeMillis() + aheadNs.get() / 1_000_000;
        }
    };
    private final DataNodeInfo datanode = new DataNodeInfo(0, 0, 0, "localhost", 1);
    private final List<CoreDataStore> stores = new ArrayList<>();
    final HeapTier tier = new HeapTier();
    final NameNodeService namenode;
    final LoopTransport transport;
    final CoreDataStore store;

    TestCluster() throws Exception {
        this(64);
    }

    TestCluster(int blocks) throws Exception {
        this(blocks, BLOCK, 0);
    }

    TestCluster(int blocks, int blockBytes, int smallBlockBytes) throws Exception {
        this(blocks, blockBytes, smallBlockBytes, TOKEN_MS, service -> service);
    }

    /**
     * Makes one.
     *
     * @param front what clients reach in the place of the service, and may ask that
     */
    TestCluster(int blocks, int blockBytes, int smallBlockBytes, long tokenMs, UnaryOperator<MetadataService> front)
            throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.blocksize", Integer.toString(blockBytes));
        conf.set("crail.smallblocksize", Integer.toString(smallBlockBytes));
        conf.set("crail.tokenexpiration", tokenMs + "ms");
        conf.set("crail.storage.keepalive", "1h"); // the datanode lives, however far the clock is put forward at once
        namenode = new NameNodeService(NamenodeSettings.of(conf, 1), clock);
        tier.addDatanode(1, blocks * blockBytes);
        namenode.register(new RegisterRequest(datanode, 1, List.of(new Region(0, 0, (long) blocks * blockBytes, 1))));
        transport = new LoopTransport(new MetadataAcceptor(front.apply(namenode)));
        store = newStore();
    }

    static CrailConfiguration clientConfiguration() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.buffersize", "8192");
        conf.set("crail.slicesize", "4096");
        conf.set("crail.rpctimeout", "5s");
        conf.set("crail.datatimeout", "5s");
        conf.set("crail.directoryrandomize", "false");
        return conf;
    }

    CoreDataStore newStore() throws Exception {
        return newStore(clientConfiguration());
    }

    CoreDataStore newStore(CrailConfiguration conf) throws Exception {
        CoreDataStore made = CoreDataStore.open(
                StoreContext.of(conf).transport(transport).tiers(List.of(tier)).nanoClock(clock::nanoTime));
        stores.add(made);
        return made;
    }

    /** Lets time pass for the namenode and the stores; the datanode goes on living. */
    void pass(long ms) throws Exception {
        aheadNs.addAndGet(ms * 1_000_000);
        namenode.heartbeat(new HeartbeatRequest(datanode, 1));
        namenode.reclaim();
    }

    /** The datanode signs off, and keeps what it holds. */
    void loseDatanode() throws Exception {
        namenode.heartbeat(new HeartbeatRequest(datanode, 1, true));
    }

    CheckResponse checkBlocks() throws Exception {
        return namenode.check(new CheckRequest());
    }

    /** Creates a node. */
    CrailNode create(String path, CrailNodeType type) throws Exception {
        return create(store, path, type);
    }

    /** As {@link #create(String, CrailNodeType)}, by another store. */
    static CrailNode create(CoreDataStore store, String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true)
                .get();
    }

    CrailFile file(String path) throws Exception {
        return create(path, CrailNodeType.DATAFILE).asFile();
    }

    CrailFile lookup(String path) throws Exception {
        return store.lookup(path).get().asFile();
    }

    static CrailBuffer buffer(byte[] bytes) throws Exception {
        CrailBuffer buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(bytes.length));
        buffer.put(bytes);
        buffer.flip();
        return buffer;
    }

    static CrailBuffer space(int bytes) throws Exception {
        return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(bytes));
    }

    static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (31 * i + seed + i / 251);
        }
        return bytes;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void write(CrailFile file, byte[] bytes) throws Exception {
        CrailOutputStream out = file.getDirectOutputStream(bytes.length);
        if (bytes.length > 0) {
            out.write(buffer(bytes)).get();
        }
        out.close();
    }

    static byte[] read(CrailFile file) throws Exception {
        byte[] bytes = new byte[(int) file.getCapacity()];
        CrailInputStream in = file.getDirectInputStream(bytes.length);
        if (bytes.length > 0) {
            CrailBuffer buffer = space(bytes.length);
            in.read(buffer).get();
            buffer.flip();
            buffer.get(bytes);
        }
        in.close();
        return bytes;
    }

    void close() throws Exception {
        for (CoreDataStore open : stores) {
            open.close();
        }
        transport.close();
    }
}
