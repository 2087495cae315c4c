/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.nvme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Targets for the datanodes of clusters, used by one cluster after the other: to make one takes time. They last as long
 * as the lab's guest. All methods are thread safe.
 */
public final class NvmeTargets {
    private static final int MEBIBYTES =
            256; // more than any cluster of a test offers; takes memory when written to only
    private static final List<NvmeTarget> TARGETS = new ArrayList<>();

    private NvmeTargets() {}

    /** The target of this number. */
    public static synchronized NvmeTarget numbered(int number) {
        try {
            while (TARGETS.size() <= number) {
                TARGETS.add(NvmeTarget.create(MEBIBYTES));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no target of NVMe over Fabrics can be made here; use dev/rdma-lab", e);
        }
        return TARGETS.get(number);
    }
}
