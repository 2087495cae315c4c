/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetectorRest.class)
final class SocketCountsTest extends CountsSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.SOCKETS;
    }

    /** Measured: 1340 (JDK 17). */
    @Override
    protected long maxBytesPerRead() {
        return 1850;
    }
}
