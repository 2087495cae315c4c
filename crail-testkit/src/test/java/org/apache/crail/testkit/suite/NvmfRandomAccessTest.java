/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.Tag;

@Tag("nvmf")
final class NvmfRandomAccessTest extends RandomAccessSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.NVMF;
    }

    /** A thousand in all, by three clients: the machine is slow. */
    @Override
    protected int operations() {
        return 350;
    }
}
