/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.netty.TargetedReceive;
import org.apache.crail.rpc.transport.RpcChannel;

/**
 * A client's connection that goes over to memory which the namenode has offered over its socket: the client marks the
 * memory and says so, and the namenode marks it, too, and wakes the client. Confined to the socket's event loop.
 */
final class MemoryOpening extends ChannelInboundHandlerAdapter {
    private static final int WAKE_UPS_BYTES = 16;

    private final MessageMemory memory;
    private final Function<MessageMemory, MemoryChannel> connect;
    private final Consumer<Optional<RpcChannel>> onEnd;
    private boolean hasEnded;

    private MemoryOpening(
            MessageMemory memory,
            Function<MessageMemory, MemoryChannel> connect,
            Consumer<Optional<RpcChannel>> onEnd) {
        this.memory = memory;
        this.connect = connect;
        this.onEnd = onEnd;
    }

    /**
     * Begins; nothing else may be sent over the socket from now on.
     *
     * @param connect makes the connection when the namenode has seen that the memory is the same
     * @param onEnd told of that connection, or of nothing
     */
    static void begin(
            Channel socket,
            MessageMemory memory,
            Function<MessageMemory, MemoryChannel> connect,
            Consumer<Optional<RpcChannel>> onEnd) {
        TargetedReceive.divert(socket, allocator -> allocator.directBuffer(WAKE_UPS_BYTES));
        socket.pipeline().addLast(new MemoryOpening(memory, connect, onEnd));
        memory.mark();
        socket.writeAndFlush(socket.alloc().directBuffer().writeInt(0), socket.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object wakeUp) {
        ReferenceCountUtil.release(wakeUp);
        if (hasEnded) {
            return;
        }
        if (!memory.isMarkedByOther()) {
            context.close();
            return;
        }
        MemoryChannel connection = connect.apply(memory);
        hasEnded = true;
        context.pipeline().replace(this, null, connection);
        onEnd.accept(Optional.of(connection));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!hasEnded) {
            hasEnded = true;
            onEnd.accept(Optional.empty());
        }
    }
}
