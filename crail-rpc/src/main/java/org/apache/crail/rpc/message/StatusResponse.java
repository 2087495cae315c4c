/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.NodeStatus;

/**
 * All that is known of a node.
 *
 * @param status the node
 */
public record StatusResponse(NodeStatus status) implements Response {
    @Override
    public int encodedLength() {
        return Wire.statusLength(status, null);
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putStatus(out, status, null);
    }

    static StatusResponse decode(ByteBuffer in) throws CrailException {
        return new StatusResponse(Wire.getStatus(in, null));
    }
}
