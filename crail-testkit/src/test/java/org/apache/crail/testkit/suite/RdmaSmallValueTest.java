/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@Tag("full")
final class RdmaSmallValueTest extends SmallValueSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.RDMA;
    }
}
