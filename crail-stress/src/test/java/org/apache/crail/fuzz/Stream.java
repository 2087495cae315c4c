/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.crail.rpc.transport.RpcTransport;

/** Messages with their lengths before them, cut in the simplest way, for comparison. Stateless. */
public final class Stream {
    private Stream() {}

    /** What is left of a buffer. */
    public static byte[] bytes(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        return bytes;
    }

    /**
     * Compares what was found in a stream with what is there.
     *
     * @throws AssertionError if it is something else
     */
    public static void check(byte[] sent, List<byte[]> found, boolean isRefused) {
        ByteBuffer rest = ByteBuffer.wrap(sent);
        for (byte[] message : found) {
            byte[] expected = new byte[rest.getInt()];
            rest.get(expected);
            if (!Arrays.equals(expected, message)) {
                throw new AssertionError(
                        "found " + Arrays.toString(message) + " instead of " + Arrays.toString(expected));
            }
        }
        boolean hasLength = rest.remaining() >= Integer.BYTES;
        int next = hasLength ? rest.getInt() : 0;
        boolean isWrong = next < 0 || next > RpcTransport.MAX_MESSAGE_BYTES;
        boolean isThere = hasLength && !isWrong && rest.remaining() >= next;
        if (isWrong != isRefused || isThere) {
            throw new AssertionError("after " + found.size() + " messages one of " + next + " bytes, of which "
                    + rest.remaining() + " are there, was " + (isRefused ? "" : "not ") + "refused");
        }
    }
}
