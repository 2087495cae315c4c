/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.CrailBuffer;
import org.apache.crail.storage.StorageEndpoint;

/** A datanode in a process of its own, to which clients of the same process connect, one after the other. */
final class ConnectsMain {
    private ConnectsMain() {}

    /**
     * Argument: where the datanode keeps its data. For each line, which tells how many clients are to come, prints how
     * many KiB the process has in memory when they have come and gone.
     */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (TierFixture fixture = new TierFixture(Path.of(arguments[0])).start()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                connectAndClose(fixture, Integer.parseInt(line));
                TierFixture.await("all connections are gone", () -> fixture.server.connections() == 0);
                System.gc();
                System.out.println("> " + residentKib());
            }
        }
    }

    /** Lets clients come, transfer something, and go; if they may map the datanode's memory, when they have done so. */
    static void connectAndClose(TierFixture fixture, int times) throws Exception {
        boolean isMapped = fixture.conf.get(RdmaTierKeys.STORAGE_LOCAL_MAP);
        CrailBuffer buffer = TierFixture.buffer(64);
        for (int i = 0; i < times; i++) {
            RdmaStorageClient client = (RdmaStorageClient) fixture.tier.createClient(fixture.conf);
            StorageEndpoint endpoint = client.createEndpoint(fixture.datanode());
            TierFixture.get(endpoint.write(buffer.clear(), fixture.block(0), 0));
            if (isMapped) {
                TierFixture.awaitMapped(endpoint, fixture.block(0), buffer);
            }
            client.close();
        }
    }

    private static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
