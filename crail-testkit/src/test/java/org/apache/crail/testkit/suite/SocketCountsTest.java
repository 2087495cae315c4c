/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;

final class SocketCountsTest extends CountsSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.SOCKETS;
    }

    @Override
    protected long maxBytesPerLookup() {
        return 2048;
    }

    @Override
    protected long maxBytesPerRead() {
        return 2048;
    }
}
