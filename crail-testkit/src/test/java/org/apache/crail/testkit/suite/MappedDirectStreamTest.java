/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;

final class MappedDirectStreamTest extends MappedStreams {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.MAPPED;
    }
}
