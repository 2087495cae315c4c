/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetectorRest.class)
final class UnixOperationCostTest extends OperationCostSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.UNIX;
    }

    @Override
    protected Allocations most() {
        return new Allocations(2300, 6400, 4500, 27_000, 15_000, 90_000);
    }
}
