/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.fuzz.Given;
import org.apache.crail.fuzz.Limits;
import org.apache.crail.fuzz.Stream;

/** The greeting of the other end of a DaRPC connection, and payloads as messages. Stateless. */
public final class PayloadsTarget {
    private static final int FURTHER_BYTES = 64 * 1024;

    private PayloadsTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> {
            greet(input);
            take(new Given(input));
        });
    }

    private static void greet(byte[] input) {
        Greeting greeting;
        try {
            greeting = Greeting.read(ByteBuffer.wrap(input));
        } catch (ProtocolMismatchException refused) {
            return;
        }
        ByteBuffer again = ByteBuffer.allocate(input.length);
        greeting.writeTo(again);
        if (!again.flip().equals(ByteBuffer.wrap(input))) {
            throw new AssertionError(greeting);
        }
    }

    private static void take(Given input) {
        int piece = 1 + input.largeNumber();
        byte[] sent = input.rest();
        List<byte[]> messages = new ArrayList<>();
        StreamInput stream = new StreamInput(FURTHER_BYTES);
        boolean isRefused = false;
        try {
            for (int at = 0; at < sent.length; at += piece) {
                ByteBuffer payload = ByteBuffer.allocateDirect(Math.min(piece, sent.length - at));
                stream.accept(payload.put(sent, at, payload.capacity()).flip());
                for (ByteBuffer next = stream.next(); next != null; next = stream.next()) {
                    messages.add(Stream.bytes(next));
                }
                stream.keepRest();
                payload.clear().put(new byte[payload.capacity()]); // the transport receives into it again
            }
        } catch (ProtocolMismatchException e) {
            isRefused = true;
        }
        Stream.check(sent, messages, isRefused);
    }
}
