/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.NodeStatus;

/**
 * A page of children, in the order of their ids or slots; an empty page is the end.
 *
 * @param parentFd the container
 * @param children the page
 */
public record ChildrenResponse(long parentFd, List<NodeStatus> children) implements Response {

    @Override
    public int encodedLength() {
        int length = 8 + 4;
        for (NodeStatus element : children) {
            length += Wire.statusLength(element);
        }
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(parentFd);
        out.putInt(children.size());
        for (NodeStatus element : children) {
            Wire.putStatus(out, element);
        }
    }

    static ChildrenResponse decode(ByteBuffer in) throws CrailException {
        long parentFd = in.getLong();
        List<NodeStatus> children = Wire.getStatuses(in);
        return new ChildrenResponse(parentFd, children);
    }
}
