/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;

/** Sends back what arrives, each message {@code factor} times as long. Thread safe. */
class EchoAcceptor implements RpcServer.Acceptor {
    final BlockingQueue<RpcChannel> channels = new LinkedBlockingQueue<>();
    final BlockingQueue<Boolean> endings = new LinkedBlockingQueue<>();
    final AtomicLong handled = new AtomicLong();

    /** The names of those that have handled messages. */
    final Set<String> threads = ConcurrentHashMap.newKeySet();

    private final int factor;

    EchoAcceptor(int factor) {
        this.factor = factor;
    }

    boolean isAnswered(long count) {
        return true;
    }

    void afterMessage(RpcChannel served) {}

    @Override
    public RpcChannel.Receiver accept(RpcChannel channel) {
        channels.add(channel);
        return new RpcChannel.Receiver() {
            @Override
            public void onMessage(ByteBuffer message) {
                long count = handled.incrementAndGet();
                threads.add(Thread.currentThread().getName());
                byte[] bytes = new byte[message.remaining()];
                message.get(bytes);
                if (isAnswered(count)) {
                    channel.send(new Copies(bytes, factor));
                }
                afterMessage(channel);
            }

            @Override
            public void onClosed(Throwable cause) {
                endings.add(cause != null);
            }
        };
    }

    private static final class Copies implements Encodable {
        private final byte[] bytes;
        private final int count;

        Copies(byte[] bytes, int count) {
            this.bytes = bytes;
            this.count = count;
        }

        @Override
        public int encodedLength() {
            return bytes.length * count;
        }

        @Override
        public void encode(ByteBuffer out) {
            for (int i = 0; i < count; i++) {
                out.put(bytes);
            }
        }
    }
}
