/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.get;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;

/** A client in another process, which may have fewer rights. */
final class MappedProbe {
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    private MappedProbe() {}

    /**
     * Lets the other process copy block 0 into block 1 until it has mapped something, or so many times.
     *
     * @param prefix a command that starts the process
     * @return what it says, at the end "mapped" and the names of the datanode's files that it has mapped then
     */
    static String copy(List<String> prefix, TierFixture fixture, int most) throws IOException, InterruptedException {
        return ProcessOutput.of(
                prefix,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                MappedProbe.class.getName(),
                fixture.server.directory().offer().directory().toString(),
                Integer.toString(fixture.server.address().getPort()),
                Integer.toString(fixture.region.key()),
                Integer.toString(most));
    }

    public static void main(String[] args) throws Exception {
        DataNodeInfo datanode = new DataNodeInfo(0, 0, 0, "127.0.0.1", Integer.parseInt(args[1]));
        int key = Integer.parseInt(args[2]);
        BlockInfo from = new BlockInfo(datanode, 0, 0, BLOCK, key, 1);
        BlockInfo to = new BlockInfo(datanode, BLOCK, BLOCK, BLOCK, key, 1);
        CrailBuffer buffer = buffer(BLOCK);
        try (TierFixture fixture = new TierFixture(Path.of(args[0]), true)) {
            fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
            StorageEndpoint endpoint = fixture.client().createEndpoint(datanode);
            for (int i = 0; i < Integer.parseInt(args[3]) && !endpoint.isLocal(); i++) {
                buffer.clear();
                get(endpoint.read(buffer, from, 0));
                buffer.clear();
                get(endpoint.write(buffer, to, 0));
            }
            System.out.println("mapped " + mapped(args[0]));
        }
    }

    private static List<String> mapped(String directory) throws IOException {
        try (Stream<String> lines = Files.lines(MAPPINGS)) {
            return lines.filter(line -> line.contains(directory + "/"))
                    .map(line -> line.substring(line.lastIndexOf('/') + 1))
                    .distinct()
                    .sorted()
                    .toList();
        }
    }
}
