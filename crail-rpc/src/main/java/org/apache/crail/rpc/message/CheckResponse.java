/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.crail.error.CrailException;

/**
 * What was found; free, allocated and pending blocks add up to the registered ones in a sound namenode.
 *
 * @param nodes nodes in the tree, the root counted
 * @param registered blocks of all datanodes that are known
 * @param free blocks in free lists
 * @param allocated blocks that nodes hold, counted in the tree
 * @param pending blocks that wait for reclamation
 * @param lost blocks that nodes hold on datanodes that came back without them; not among the registered
 * @param problems one sentence per inconsistency; empty if all is sound
 */
public record CheckResponse(
        long nodes, long registered, long free, long allocated, long pending, long lost, List<String> problems)
        implements Response {

    @Override
    public int encodedLength() {
        int length = 8 + 8 + 8 + 8 + 8 + 8 + 4;
        for (String element : problems) {
            length += Wire.textLength(element);
        }
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(nodes);
        out.putLong(registered);
        out.putLong(free);
        out.putLong(allocated);
        out.putLong(pending);
        out.putLong(lost);
        out.putInt(problems.size());
        for (String element : problems) {
            Wire.putText(out, element);
        }
    }

    static CheckResponse decode(ByteBuffer in) throws CrailException {
        long nodes = in.getLong();
        long registered = in.getLong();
        long free = in.getLong();
        long allocated = in.getLong();
        long pending = in.getLong();
        long lost = in.getLong();
        List<String> problems = Wire.getList(in, Wire::getText);
        return new CheckResponse(nodes, registered, free, allocated, pending, lost, problems);
    }
}
