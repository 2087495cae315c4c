/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.NodeStatus;

/**
 * A page of children, in the order of listings.
 *
 * @param parentFd the container
 * @param children the page
 * @param isLast whether there were no more of what was asked for
 */
public record ChildrenResponse(long parentFd, List<NodeStatus> children, boolean isLast) implements Response {

    /** The same for users of the namespace. */
    public ChildrenPage page() {
        return new ChildrenPage(children, isLast);
    }

    /**
     * How many bytes of a page a child takes.
     *
     * @param child the child
     * @param former the one before it on the page, whose owner is told once for both if they have the same; null for
     *     the first
     */
    public static int encodedLength(NodeStatus child, NodeStatus former) {
        return Wire.statusLength(child, former);
    }

    @Override
    public int encodedLength() {
        int length = 8 + 4 + 1;
        NodeStatus former = null;
        for (NodeStatus child : children) {
            length += Wire.statusLength(child, former);
            former = child;
        }
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(parentFd);
        Wire.putFlag(out, isLast);
        out.putInt(children.size());
        NodeStatus former = null;
        for (NodeStatus child : children) {
            Wire.putStatus(out, child, former);
            former = child;
        }
    }

    static ChildrenResponse decode(ByteBuffer in) throws CrailException {
        long parentFd = in.getLong();
        boolean isLast = Wire.getFlag(in);
        int count = Wire.getCount(in);
        List<NodeStatus> children = new ArrayList<>(count);
        NodeStatus former = null;
        for (int i = 0; i < count; i++) {
            former = Wire.getStatus(in, former);
            children.add(former);
        }
        return new ChildrenResponse(parentFd, children, isLast);
    }
}
