/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.BufferAddress;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.RegionName;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.MemoryTierSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions of a datanode, a file each, of at most 1 GiB, since DiSNI registers less than 2 GiB at once. Clients on
 * this host may map them, if they can read the proof that is offered beside them through the device. Not thread safe.
 */
final class OfferedRegions {
    /** What the proof locks in memory: a page, however large the system's pages are. */
    static final int PROOF_LOCKED_BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(OfferedRegions.class);
    private static final int ACCESS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ;

    private final MemoryTierSettings settings;
    private final boolean localMap;
    private final DataDirectory directory;
    private final IbvPd domain;
    private final List<IbvMr> registered = new ArrayList<>();
    private final List<MappedRegion> files = new ArrayList<>();
    private final ByteBuffer token; // of the directory
    private IbvMr proof; // the token as clients read it, when something is shared
    private long offeredBytes;

    OfferedRegions(RdmaDatanodeSettings settings, DataDirectory directory, IbvPd domain) {
        this.settings = settings.memory();
        this.localMap = settings.localMap();
        this.directory = directory;
        this.domain = domain;
        this.token = ByteBuffer.allocateDirect(LocalOffer.PROOF_BYTES)
                .put(directory.offer().proof())
                .clear();
    }

    /** The next region, or nothing if all that is offered has been handed out. */
    Optional<Region> next() throws CrailException {
        long length = Math.min(settings.regionBytes(), settings.totalBytes() - offeredBytes);
        if (length == 0) {
            return Optional.empty();
        }
        MappedRegion file = directory.createRegion(length, settings.blockBytes());
        files.add(file);
        Region region = register(file.segment(0));
        offeredBytes += length;
        if (localMap) {
            share(file, region);
        }
        return Optional.of(region);
    }

    private Region register(ByteBuffer memory) throws CrailException {
        long address = BufferAddress.of(memory);
        try {
            IbvMr region = VerbsDevice.register(domain, address, memory.capacity(), ACCESS);
            registered.add(region);
            return new Region(offeredBytes, address, memory.capacity(), region.getRkey());
        } catch (IOException e) {
            throw new StorageFailureException(
                    memory.capacity() + " bytes of memory cannot be registered with the RDMA device: "
                            + VerbsErrors.text(e) + "; lower " + RdmaTierKeys.STORAGE_LIMIT
                            + ", or raise the limit on locked memory (ulimit -l unlimited)",
                    e);
        }
    }

    /** Lets clients on this host map a region, if they can read the proof, which is registered with the first one. */
    private void share(MappedRegion file, Region region) {
        try {
            if (proof == null) {
                proof = VerbsDevice.register(
                        domain, BufferAddress.of(token), token.capacity(), IbvMr.IBV_ACCESS_REMOTE_READ);
                registered.add(proof);
            }
            RegionName name = new RegionName(region.key(), region.address(), BufferAddress.of(token), proof.getRkey());
            directory.shareRegion(file, settings.totalBytes() - offeredBytes, name);
        } catch (IOException e) {
            LOG.warn(
                    "clients on this host cannot copy blocks themselves: what they need for that cannot be registered: {}",
                    VerbsErrors.text(e));
        }
    }

    int registered() {
        return registered.size();
    }

    /** Takes the memory from the device; no client may be connected any more. */
    void close() {
        for (IbvMr region : registered) {
            VerbsErrors.quietly(
                    "deregistering", () -> region.deregMr().execute().free());
        }
        registered.clear();
        files.clear();
    }
}
