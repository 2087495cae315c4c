/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageEndpoint;

/** A client in a process of its own: writes to a block, and once more for each byte that it is told, until that fails, and says how. */
final class ClientMain {
    private ClientMain() {}

    /** Arguments: port, address of the block, key, size of the buffer. */
    public static void main(String[] arguments) throws Exception {
        System.out.println("> " + result(arguments));
        System.in.read();
    }

    private static String result(String[] arguments) throws Exception {
        try (TierFixture fixture = new TierFixture(Path.of("/tmp"))) {
            DataNodeInfo datanode =
                    new DataNodeInfo(0, 0, 0, TierFixture.deviceAddress(), Integer.parseInt(arguments[0]));
            BlockInfo block = new BlockInfo(
                    datanode, 0, Long.parseLong(arguments[1]), TierFixture.BLOCK, Integer.parseInt(arguments[2]), 1);
            StorageEndpoint endpoint = fixture.client().createEndpoint(datanode);
            CrailBuffer buffer = TierFixture.buffer(Integer.parseInt(arguments[3]));
            buffer.limit(8);
            TierFixture.get(endpoint.write(buffer, block, 0));
            System.out.println("> written");
            while (System.in.read() >= 0) { // each line asks for one more
                buffer.position(0);
                TierFixture.get(endpoint.write(buffer, block, 0));
            }
            return "done";
        } catch (ExecutionException e) {
            return e.getCause().toString();
        } catch (CrailException e) {
            return e.toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
