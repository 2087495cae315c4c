/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.interleaving.Interleavings;
import org.apache.crail.interleaving.ManualSurroundings;
import org.apache.crail.interleaving.ThreadedTransport;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.namenode.NameNodeService;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.apache.crail.rpc.message.SyncResponse;
import org.apache.crail.rpc.server.MetadataAcceptor;

/**
 * A namenode's service, and a store with a file, in this process. Used by one thread; its parts are as thread safe as
 * they are.
 */
final class LocalCluster implements Interleavings.Fixture {
    static final int BLOCK = 4096;
    static final long TOKEN_MS = 60_000;

    private static final int BLOCKS = 16;
    private static final String PATH = "/f";

    final ManualSurroundings surroundings = new ManualSurroundings();
    final HeldTier tier = new HeldTier();
    final CoreDataStore store;
    final CoreFile file;
    private final Namenode namenode;
    private final ThreadedTransport transport;

    LocalCluster() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.blocksize", Integer.toString(BLOCK));
        conf.set("crail.smallblocksize", "0");
        conf.set("crail.tokenexpiration", TOKEN_MS + "ms");
        conf.set("crail.storage.keepalive", "1h"); // the datanode lives, however much time passes
        namenode = new Namenode(NamenodeSettings.of(conf, 1), surroundings);
        namenode.register(new RegisterRequest(
                new DataNodeInfo(0, 0, 0, "localhost", 1), 1, List.of(new Region(0, 0, (long) BLOCKS * BLOCK, 1))));
        transport = new ThreadedTransport(new MetadataAcceptor(namenode));
        store = CoreDataStore.open(StoreContext.of(clientConfiguration())
                .transport(transport)
                .tiers(List.of(tier))
                .nanoClock(surroundings::nanoTime));
        file = (CoreFile)
                store.create(PATH, CrailNodeType.DATAFILE, CrailStorageClass.PARENT, CrailLocationClass.PARENT, false)
                        .get()
                        .asFile();
    }

    /** Calls and transfers have no limit, but those of the scenario. */
    private static CrailConfiguration clientConfiguration() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.buffersize", "8192");
        conf.set("crail.slicesize", "4096");
        conf.set("crail.namenode.address", "crail://127.0.0.1:1"); // whose name nobody has to look up
        conf.set("crail.rpctimeout", "10min");
        conf.set("crail.datatimeout", "1h");
        return conf;
    }

    static CrailBuffer bytes(int count) throws Exception {
        return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(count));
    }

    /** What the namenode knows of the file. */
    FileInfo known() throws CrailException {
        return namenode.lookup(new LookupRequest(CrailPath.parse(PATH), false)).file();
    }

    /** Takes the file's write token as another client. */
    void takeToken() throws CrailException {
        assertThat(namenode.lookup(new LookupRequest(CrailPath.parse(PATH), true))
                        .file()
                        .getToken())
                .isNotZero();
    }

    /** How streams of the file have ended, by what the namenode has heard. */
    List<SyncRequest> ends() {
        synchronized (namenode.syncs) {
            return namenode.syncs.stream()
                    .filter(request -> request.end() != End.NONE)
                    .toList();
        }
    }

    /** Closes the store, and looks at the books. */
    @Override
    public void end() throws Exception {
        store.close();
        transport.close();
        transport.join();
        assertThat(namenode.check(new CheckRequest()).problems()).isEmpty();
        surroundings.end();
    }

    /** Keeps what it has been told of writers. */
    private static final class Namenode extends NameNodeService {
        /** Guarded by itself. */
        private final List<SyncRequest> syncs = new ArrayList<>();

        Namenode(NamenodeSettings settings, ManualSurroundings surroundings) {
            super(settings, surroundings);
        }

        @Override
        public SyncResponse sync(SyncRequest request) throws CrailException {
            synchronized (syncs) {
                syncs.add(request);
            }
            return super.sync(request);
        }
    }
}
