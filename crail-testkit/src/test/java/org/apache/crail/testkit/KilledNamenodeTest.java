/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import org.junit.jupiter.api.Tag;

/** Over sockets. */
@Tag("faults")
final class KilledNamenodeTest extends KilledNamenodeSuite {
    @Override
    ClusterKind kind() {
        return ClusterKind.SOCKETS;
    }
}
