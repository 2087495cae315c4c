/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetectorRest.class)
final class MappedOperationCostTest extends OperationCostSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.MAPPED;
    }

    @Override
    protected Allocations most() {
        return new Allocations(2300, 5500, 3700, 18_500, 7700, 78_000);
    }
}
