/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageEndpoint;

/**
 * A client in a process of its own: writes to each block that it is told and says "written", or why not; when told,
 * starts a datanode as well and says "started", or why not.
 */
final class ClientMain {
    /** Asks how much memory of the process devices may use, in KiB, as the system says. */
    static final String PINNED = "pinned";

    /** Asks to start a datanode. */
    static final String DATANODE = "datanode";

    private static final Path STATUS = Path.of("/proc/self/status");

    private final TierFixture fixture;
    private final CrailBuffer buffer;
    private final Map<DataNodeInfo, StorageEndpoint> endpoints = new HashMap<>();
    private RdmaStorageClient client;

    private ClientMain(TierFixture fixture, int capacity) throws Exception {
        this.fixture = fixture;
        this.buffer = TierFixture.buffer(capacity);
    }

    /**
     * Arguments: size of the buffer; where a datanode keeps its data. Each line of the input is a block, as {@link
     * #block} wants it, or one of the words above.
     */
    public static void main(String[] arguments) throws Exception {
        try (TierFixture fixture = new TierFixture(Path.of(arguments.length > 1 ? arguments[1] : "/tmp"));
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            ClientMain writer = new ClientMain(fixture, Integer.parseInt(arguments[0]));
            for (String place = in.readLine(); place != null; place = in.readLine()) {
                System.out.println("> " + writer.answer(place));
            }
        }
    }

    private String answer(String question) throws Exception {
        return switch (question) {
            case PINNED -> pinnedKib();
            case DATANODE -> startDatanode();
            default -> write(block(question));
        };
    }

    private String startDatanode() throws IOException {
        try {
            fixture.start();
            return "started";
        } catch (CrailException e) {
            return e.toString();
        }
    }

    /** The block that a text with port, address and key describes. */
    static BlockInfo block(String place) throws Exception {
        String[] parts = place.split(" ", -1);
        DataNodeInfo datanode = new DataNodeInfo(0, 0, 0, TierFixture.deviceAddress(), Integer.parseInt(parts[0]));
        return new BlockInfo(datanode, 0, Long.parseLong(parts[1]), TierFixture.BLOCK, Integer.parseInt(parts[2]), 1);
    }

    /** The text for a block. */
    static String place(BlockInfo block) {
        return block.getDnInfo().getPort() + " " + block.getAddr() + " " + block.getLkey();
    }

    private static String pinnedKib() throws IOException {
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith("VmPin:"))
                .map(line -> line.replaceAll("\\D", ""))
                .findFirst()
                .orElseThrow();
    }

    private String write(BlockInfo block) throws Exception {
        try {
            buffer.clear().limit(8);
            TierFixture.get(endpoint(block.getDnInfo()).write(buffer, block, 0));
            return "written";
        } catch (ExecutionException e) {
            return e.getCause().toString();
        } catch (CrailException e) {
            return e.toString();
        }
    }

    private StorageEndpoint endpoint(DataNodeInfo datanode) throws Exception {
        if (client == null) {
            client = fixture.client();
        }
        if (!endpoints.containsKey(datanode)) {
            endpoints.put(datanode, client.createEndpoint(datanode));
        }
        return endpoints.get(datanode);
    }
}
