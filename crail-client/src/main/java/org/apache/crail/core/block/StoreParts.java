/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import org.apache.crail.core.call.ClusterSettings;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.core.call.NamenodeRouter;
import org.apache.crail.memory.BufferCache;

/**
 * The parts of an open store that find, transfer and count. All are thread safe.
 *
 * @param calls to the namenodes
 * @param blocks locations that are known
 * @param endpoints of datanodes
 * @param buffers of the store
 * @param transfers counts of them, whatever crail.statistics says
 * @param inputStatistics of reads
 * @param outputStatistics of writes
 */
public record StoreParts(
        MetadataCalls calls,
        BlockCache blocks,
        EndpointCache endpoints,
        BufferCache buffers,
        TransferCounters transfers,
        CoreIOStatistics inputStatistics,
        CoreIOStatistics outputStatistics) {
    public ClusterSettings settings() {
        return calls.settings();
    }

    public NamenodeRouter router() {
        return calls.router();
    }

    public CoreIOStatistics statistics(boolean isWrite) {
        return isWrite ? outputStatistics : inputStatistics;
    }
}
