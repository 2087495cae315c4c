/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.message.RegisterRequest;

/**
 * Blocks that exist in the namenode's books only, so that millions of files can be created without memory for their
 * data. Nobody listens at the addresses of their datanodes. Stateless.
 */
public final class FakeBlocks {
    private static final int PORT = 1;

    private FakeBlocks() {}

    /** What registers {@code count} blocks of a class. */
    public static RegisterRequest register(int storageClass, long count, long blockSizeBytes) {
        return register(storageClass, PORT, count, blockSizeBytes);
    }

    /**
     * What registers the same number of blocks of class 0 for each of several datanodes, {@code count} together at
     * least.
     */
    static List<RegisterRequest> registerEach(int datanodes, long count, long blockSizeBytes) {
        return IntStream.range(PORT, PORT + datanodes)
                .mapToObj(port -> register(0, port, (count + datanodes - 1) / datanodes, blockSizeBytes))
                .toList();
    }

    private static RegisterRequest register(int storageClass, int port, long count, long blockSizeBytes) {
        DataNodeInfo nobody = new DataNodeInfo(0, storageClass, 0, "127.0.0.1", port);
        return new RegisterRequest(nobody, 1, List.of(new Region(0, 0, count * blockSizeBytes, 0)));
    }
}
