/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.crail.error.CrailException;

/**
 * A page of children, in the order of their ids or slots; an empty page is the end.
 *
 * @param parentFd the container
 * @param children the page
 */
public record ChildrenResponse(long parentFd, List<Child> children) implements Response {

    @Override
    public int encodedLength() {
        int length = 8 + 4;
        for (Child element : children) {
            length += element.encodedLength();
        }
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(parentFd);
        out.putInt(children.size());
        for (Child element : children) {
            element.encode(out);
        }
    }

    static ChildrenResponse decode(ByteBuffer in) throws CrailException {
        long parentFd = in.getLong();
        List<Child> children = Wire.getList(in, Child::decode);
        return new ChildrenResponse(parentFd, children);
    }
}
