/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import org.junit.jupiter.api.Tag;

/** Over DaRPC, on a verbs device. */
@Tag("rdma")
final class KilledRdmaNamenodeTest extends KilledNamenodeSuite {
    @Override
    ClusterKind kind() {
        return ClusterKind.RDMA;
    }
}
