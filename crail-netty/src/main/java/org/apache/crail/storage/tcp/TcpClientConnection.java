/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.ProtocolMismatchException;

/**
 * One connection to a datanode, from its greeting to its end. Whatever ends it, the socket is closed before a transfer
 * fails, so that no byte can land in a buffer that its owner has back. Confined to the thread that runs the loop.
 */
final class TcpClientConnection extends TransferHandler {
    private final Listener listener;
    private final LongObjectMap<Transfer> pending = new LongObjectHashMap<>();
    private long nextId = 1;
    private boolean greeted;
    private boolean ended;
    private Transfer current;
    private long currentId;
    private int errorStatus;

    TcpClientConnection(Channel channel, Listener listener) {
        super(channel);
        this.listener = listener;
    }

    void greet(UUID clientId, String clusterId) {
        byte[] name = TransferProtocol.utf8(clusterId, TransferProtocol.MAX_CLUSTER_ID_BYTES);
        ByteBuf hello = channel()
                .alloc()
                .directBuffer(TransferProtocol.HELLO_BYTES + name.length)
                .writeInt(TransferProtocol.MAGIC)
                .writeShort(TransferProtocol.VERSION)
                .writeLong(clientId.getMostSignificantBits())
                .writeLong(clientId.getLeastSignificantBits())
                .writeShort(name.length)
                .writeBytes(name);
        channel().writeAndFlush(hello);
    }

    /** Sends a transfer with the next flush; the bytes of a write are not copied. */
    void send(Transfer transfer) {
        long id = nextId++;
        pending.put(id, transfer);
        channel()
                .write(
                        TransferRequest.encode(
                                channel().alloc(),
                                transfer.isWrite,
                                id,
                                transfer.block,
                                transfer.offset,
                                transfer.length),
                        channel().voidPromise());
        if (transfer.isWrite) {
            channel().write(Unpooled.wrappedBuffer(transfer.bytes), channel().voidPromise());
        }
    }

    void flush() {
        channel().flush();
    }

    boolean isBusy() {
        return !pending.isEmpty();
    }

    @Override
    int headBytes() {
        return greeted ? TransferProtocol.HEAD_BYTES : TransferProtocol.HELLO_ANSWER_BYTES;
    }

    @Override
    void onHead(ByteBuf head) throws CrailException {
        if (greeted) {
            long id = head.readLong();
            int status = head.readInt();
            int length = head.readInt();
            head.skipBytes(TransferProtocol.UNUSED_RESPONSE_BYTES);
            onResponse(id, status, length);
        } else {
            onHelloAnswer(head);
        }
    }

    private void onHelloAnswer(ByteBuf head) throws CrailException {
        int magic = head.readInt();
        short version = head.readShort();
        int status = head.readShort();
        int textBytes = head.readInt();
        if (magic != TransferProtocol.MAGIC) {
            throw new ProtocolMismatchException("what answers is not a datanode of Crail");
        }
        if (status == TransferProtocol.OK && version != TransferProtocol.VERSION) {
            throw new ProtocolMismatchException("the datanode speaks version " + version
                    + " of the transfer protocol, this client version " + TransferProtocol.VERSION
                    + "; use the same release on both sides");
        }
        receiveText(status, textBytes);
    }

    private void onResponse(long id, int status, int length) throws CrailException {
        Transfer transfer = pending.get(id);
        if (transfer == null) {
            throw new ProtocolMismatchException("the datanode answered request " + id + ", which nobody waits for");
        }
        current = transfer;
        currentId = id;
        if (status != TransferProtocol.OK) {
            receiveText(status, length);
        } else if (length != (transfer.isWrite ? 0 : transfer.length)) {
            throw new ProtocolMismatchException("the datanode answered a " + transfer + " with " + length + " bytes");
        } else if (transfer.isWrite) {
            finish().succeed();
        } else {
            receiveInto(Unpooled.wrappedBuffer(transfer.bytes).clear());
        }
    }

    private void receiveText(int status, int length) throws ProtocolMismatchException {
        if (length < 0 || length > TransferProtocol.MAX_TEXT_BYTES) {
            throw new ProtocolMismatchException("the datanode announced a text of " + length + " bytes");
        }
        errorStatus = status;
        receiveInto(channel().alloc().directBuffer(length, length));
    }

    @Override
    void onPayload(ByteBuf received) throws CrailException {
        CrailException error =
                errorStatus == TransferProtocol.OK ? null : TransferProtocol.error(errorStatus, received);
        errorStatus = TransferProtocol.OK;
        if (!greeted) {
            onGreeted(error, received);
        } else if (error == null) {
            finish().succeed();
        } else {
            finish().fail(error);
        }
    }

    private void onGreeted(CrailException refusal, ByteBuf answer) throws CrailException {
        if (refusal != null) {
            throw refusal;
        }
        Shortcuts shortcuts = TransferProtocol.shortcuts(answer);
        greeted = true;
        listener.onWelcome(this, shortcuts);
    }

    private Transfer finish() {
        Transfer finished = current;
        pending.remove(currentId);
        current = null;
        return finished;
    }

    /** If a transfer is late, ends the connection, fails the others, and answers those that are late. */
    List<Transfer> endIfLate(long nowNs) {
        List<Transfer> late = new ArrayList<>();
        List<Transfer> others = new ArrayList<>();
        for (Transfer transfer : pending.values()) {
            (transfer.isLate(nowNs) ? late : others).add(transfer);
        }
        if (!late.isEmpty()) {
            end(
                    listener.unreachable("it did not answer another transfer in time; the connection was closed", null),
                    others);
        }
        return late;
    }

    /** Closes the socket, then fails the transfers. */
    void end(CrailException reason) {
        end(reason, new ArrayList<>(pending.values()));
    }

    private void end(CrailException reason, List<Transfer> failed) {
        if (ended) {
            return;
        }
        ended = true;
        stop();
        channel().close();
        pending.clear();
        listener.onEnd(this, reason);
        failed.forEach(transfer -> transfer.fail(reason));
    }

    @Override
    void onFailure(Throwable cause) {
        end(
                cause instanceof CrailException known
                        ? known
                        : listener.unreachable("the connection broke (" + cause.getMessage() + ")", cause));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end(listener.unreachable("it closed the connection", null));
    }

    /** What the link of an endpoint wants to know. Called by the thread that runs the channel's loop. */
    interface Listener {
        /** The datanode welcomed this client, which may send transfers from now on. */
        void onWelcome(TcpClientConnection welcomed, Shortcuts shortcuts);

        /** The connection ended; called before its transfers fail. */
        void onEnd(TcpClientConnection ended, CrailException reason);

        /** Makes the exception that says that the datanode cannot be reached. */
        DatanodeUnreachableException unreachable(String why, Throwable cause);
    }
}
