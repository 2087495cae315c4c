/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;

final class SocketValueCallTest extends ValueCallSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.SOCKETS;
    }
}
