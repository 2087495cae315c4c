/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.BufferAddress;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.storage.memory.DataDirectory;
import org.apache.crail.storage.memory.MappedRegion;
import org.apache.crail.storage.memory.MemoryTierSettings;

/**
 * The regions of a datanode. A file is registered in the segments in which it is mapped, since DiSNI registers less than
 * 2 GiB at once; each is a region to the namenode, and no block crosses the end of one. Not thread safe.
 */
final class OfferedRegions {
    private static final int ACCESS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ;

    private final MemoryTierSettings settings;
    private final DataDirectory directory;
    private final IbvPd domain;
    private final ArrayDeque<Region> ready = new ArrayDeque<>();
    private final List<IbvMr> registered = new ArrayList<>();
    private final List<MappedRegion> files = new ArrayList<>();
    private long offeredBytes;
    private long filesBytes;

    OfferedRegions(MemoryTierSettings settings, DataDirectory directory, IbvPd domain) {
        this.settings = settings;
        this.directory = directory;
        this.domain = domain;
    }

    /** The next region, or nothing if all that is offered has been handed out. */
    Optional<Region> next() throws CrailException {
        if (ready.isEmpty()) {
            long length = Math.min(settings.regionBytes(), settings.totalBytes() - filesBytes);
            if (length == 0) {
                return Optional.empty();
            }
            addFile(length);
        }
        return Optional.of(ready.remove());
    }

    private void addFile(long length) throws CrailException {
        MappedRegion file = directory.createRegion(length, settings.blockBytes());
        files.add(file);
        filesBytes += length;
        for (int i = 0; i < file.segments(); i++) {
            ready.add(register(file.segment(i)));
        }
    }

    private Region register(ByteBuffer segment) throws CrailException {
        long address = BufferAddress.of(segment);
        try {
            IbvMr region = VerbsDevice.register(domain, address, segment.capacity(), ACCESS);
            registered.add(region);
            long lba = offeredBytes;
            offeredBytes += segment.capacity();
            return new Region(lba, address, segment.capacity(), region.getRkey());
        } catch (IOException e) {
            throw new StorageFailureException(
                    segment.capacity() + " bytes of memory cannot be registered with the RDMA device: "
                            + VerbsErrors.text(e) + "; lower " + RdmaTierKeys.STORAGE_LIMIT
                            + ", or raise the limit on locked memory (ulimit -l unlimited)",
                    e);
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
