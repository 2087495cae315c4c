/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.crail.local.block.FenceFile;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.RegionName;

/**
 * The fences of a datanode's regions that clients on its host share, and what proves to them that these are the
 * datanode's. Thread safe; clients do not wait for a fence that is being made.
 */
final class SharedFences {
    private final Path directory;
    private final UUID token = UUID.randomUUID();
    private final List<FenceFile> fences = new ArrayList<>(); // guarded by this
    private long stamp; // the same

    /**
     * Begins with none.
     *
     * @param directory where they are, as clients are told
     */
    SharedFences(Path directory) {
        this.directory = directory;
    }

    /** Makes the fence of a region whose file is there. */
    FenceFile make(Path region, MappedRegion mapped, RegionName name) throws IOException {
        FenceFile made = FenceFile.create(region, token, mapped, name);
        synchronized (this) {
            made.stamp(stamp);
            fences.add(made);
        }
        return made;
    }

    /** How clients find them that have a proof of their own. */
    LocalOffer offer() {
        return new LocalOffer(directory, token);
    }

    /** The same with a stamp, which copies of the files do not have that were made before. */
    synchronized LocalOffer stampedOffer() {
        stamp++;
        fences.forEach(fence -> fence.stamp(stamp));
        return new LocalOffer(directory, token, stamp);
    }

    /** From now on the memory of the regions may vanish. */
    synchronized void stop() {
        fences.forEach(FenceFile::stop);
    }
}
