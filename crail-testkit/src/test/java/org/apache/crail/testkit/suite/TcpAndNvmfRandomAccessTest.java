/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.Tag;

@Tag("nvmf")
final class TcpAndNvmfRandomAccessTest extends RandomAccessSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.TCP_AND_NVMF;
    }

    /** As many as of {@link NvmfRandomAccessTest}. */
    @Override
    protected int operations() {
        return 350;
    }
}
