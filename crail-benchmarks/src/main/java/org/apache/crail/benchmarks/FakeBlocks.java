/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.List;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.rpc.message.RegisterRequest;

/**
 * Blocks that exist in the namenode's books only, so that millions of files can be created without memory for their data.
 * Nobody listens at the address of their datanode. Stateless.
 */
public final class FakeBlocks {
    private static final int PORT = 1;

    private FakeBlocks() {}

    /** What registers {@code count} blocks of a class. */
    public static RegisterRequest register(int storageClass, long count, long blockSizeBytes) {
        DataNodeInfo nobody = new DataNodeInfo(0, storageClass, 0, "127.0.0.1", PORT);
        return new RegisterRequest(nobody, 1, List.of(new Region(0, 0, count * blockSizeBytes, 0)));
    }
}
