/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.storage.datanode.Datanode;

/**
 * A file of one block in a cluster of this process, whose data goes over the rdma tier, and a store. Not thread safe.
 */
final class StoredBlock implements AutoCloseable {
    private static final String PATH = "/block";
    private static final int MOST_BLOCKS = 4;

    private final Namenode namenode;
    private final Datanode datanode;
    private final CrailStore store;
    private final int blockBytes;
    private final List<CrailInputStream> streams = new ArrayList<>();

    /** Starts the cluster and writes the file. */
    StoredBlock(CrailConfiguration settings, String address, Path dataPath, int blockBytes) throws Exception {
        this.blockBytes = blockBytes;
        CrailConfiguration conf = settings.copy();
        conf.set("crail.namenode.address", "crail://" + address + ":0");
        conf.set("crail.storage.types", "org.apache.crail.storage.rdma.RdmaStorageTier");
        conf.set("crail.storage.rdma.port", "0");
        conf.set("crail.storage.rdma.localmap", "false"); // the device is what is measured
        conf.set("crail.storage.rdma.datapath", dataPath.toString());
        conf.set("crail.storage.rdma.storagelimit", Integer.toString(MOST_BLOCKS * blockBytes));
        this.namenode = Namenode.start(conf, NamenodeOptions.anyPort());
        conf.set(
                "crail.namenode.address",
                "crail://" + address + ":" + namenode.address().getPort());
        this.datanode = Datanode.start(conf, null, -1, List.of());
        this.store = CrailStore.newInstance(conf);
        write();
    }

    private void write() throws Exception {
        CrailFile file = store.create(
                        PATH, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                .get()
                .asFile();
        CrailOutputStream stream = file.getDirectOutputStream(blockBytes);
        stream.write(OffHeapBuffer.wrap(ByteBuffer.allocateDirect(blockBytes))).get();
        stream.close();
    }

    /** Reads through a direct stream. */
    BlockReader reader(int size) throws Exception {
        CrailInputStream stream = store.lookup(PATH).get().asFile().getDirectInputStream(blockBytes);
        streams.add(stream);
        List<CrailBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < BlockReader.MOST_IN_FLIGHT; i++) {
            buffers.add(OffHeapBuffer.wrap(ByteBuffer.allocateDirect(size)));
        }
        return BlockReader.of(buffer -> {
            stream.seek(0);
            return stream.read(buffers.get(buffer).clear());
        });
    }

    @Override
    public void close() throws IOException {
        try (namenode;
                datanode) {
            for (CrailInputStream stream : streams) {
                stream.close();
            }
            store.close();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // the historic signature declares nothing narrower
            throw new IOException("the store could not be closed", e);
        }
    }
}
