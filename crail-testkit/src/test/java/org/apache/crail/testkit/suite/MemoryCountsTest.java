/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;

final class MemoryCountsTest extends CountsSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.MEMORY;
    }

    /** Measured: 1160 (JDK 17). */
    @Override
    protected long maxBytesPerRead() {
        return 1600;
    }
}
