/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

/** The last one to run: the other host is gone then. */
@Tag("rdma")
@Tag("two-hosts")
@Order(Integer.MAX_VALUE)
final class RdmaHostLossTest extends HostLossSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.RDMA;
    }
}
