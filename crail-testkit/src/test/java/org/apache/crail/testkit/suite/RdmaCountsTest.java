/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
final class RdmaCountsTest extends CountsSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.RDMA;
    }

    @Override
    protected long maxBytesPerLookup() {
        return 4 * 1024;
    }

    @Override
    protected long maxBytesPerRead() {
        return 4 * 1024;
    }
}
