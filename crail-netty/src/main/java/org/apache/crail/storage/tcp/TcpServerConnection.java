/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCounted;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.PeerLog;
import org.apache.crail.netty.SocketAddresses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of a datanode. Requests are refused with a typed error and the connection stays usable; what is no request
 * ends this connection, and no other. While a client does not take its replies, nothing more of it is read. Confined to
 * the channel's thread.
 */
final class TcpServerConnection extends TransferHandler {
    private static final Logger LOG = LoggerFactory.getLogger(TcpServerConnection.class);
    private static final PeerLog PEER_LOG = new PeerLog(LOG);
    private static final long HELLO_LIMIT_SECONDS = 10;
    private static final int PIECE_BYTES = 256 * 1024;

    private final RegionTable regions;
    private final ClientTable clients;
    private final String clusterId;
    private final Supplier<Shortcuts> shortcuts;
    private final String peer;
    private Stage stage = Stage.HELLO;
    private Future<?> helloLimit;
    private UUID clientId;
    private long writeId;
    private BlockAccess writing;
    private int stored;
    private CrailException refusal;

    /**
     * Waits for the greeting.
     *
     * @param shortcuts what to tell a client that is welcome
     */
    TcpServerConnection(
            Channel channel,
            RegionTable regions,
            ClientTable clients,
            String clusterId,
            Supplier<Shortcuts> shortcuts) {
        super(channel);
        this.regions = regions;
        this.clients = clients;
        this.clusterId = clusterId;
        this.shortcuts = shortcuts;
        this.peer = SocketAddresses.peer(channel);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        helloLimit = channel().eventLoop().schedule(this::closeUnlessGreeted, HELLO_LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private void closeUnlessGreeted() {
        if (stage == Stage.HELLO) {
            PEER_LOG.warn("{} connected and did not introduce itself within {} s; closing", peer, HELLO_LIMIT_SECONDS);
            channel().close();
        }
    }

    @Override
    int headBytes() {
        return stage == Stage.HELLO ? TransferProtocol.HELLO_BYTES : TransferProtocol.HEAD_BYTES;
    }

    @Override
    boolean mayContinue() {
        return stage != Stage.GREETED && channel().isWritable();
    }

    @Override
    void onHead(ByteBuf head) throws CrailException {
        if (stage == Stage.HELLO) {
            onHello(head);
        } else {
            onRequest(TransferRequest.decode(head));
        }
    }

    private void onHello(ByteBuf head) throws CrailException {
        int magic = head.readInt();
        short version = head.readShort();
        clientId = new UUID(head.readLong(), head.readLong());
        int nameBytes = head.readUnsignedShort();
        if (magic != TransferProtocol.MAGIC || nameBytes > TransferProtocol.MAX_CLUSTER_ID_BYTES) {
            throw new ProtocolMismatchException("what arrived is not the transfer protocol of Crail");
        }
        if (version != TransferProtocol.VERSION) {
            refuseClient(new ProtocolMismatchException("the client speaks version " + version
                    + " of the transfer protocol, this datanode version " + TransferProtocol.VERSION
                    + "; use the same release on both sides"));
        } else {
            receiveInto(channel().alloc().directBuffer(nameBytes, nameBytes));
        }
    }

    private void onClusterId(String wanted) {
        if (!wanted.equals(clusterId)) {
            refuseClient(new ClusterMismatchException("this datanode belongs to the cluster \"" + clusterId
                    + "\", the client to \"" + wanted
                    + "\"; make crail.clusterid equal or connect to another datanode"));
            return;
        }
        stage = Stage.GREETED;
        clients.replace(clientId, channel()).addListener(ended -> welcome());
    }

    /** Answers the greeting, now that nothing can arrive over an older connection of the client any more. */
    private void welcome() {
        if (!channel().eventLoop().inEventLoop()) {
            channel().eventLoop().execute(this::welcome);
            return;
        }
        stage = Stage.READY;
        helloLimit.cancel(false);
        channel().writeAndFlush(TransferProtocol.welcome(channel().alloc(), shortcuts.get()));
        handleStaged();
        channel().flush();
    }

    private void refuseClient(CrailException reason) {
        PEER_LOG.warn("{} is refused: {}", peer, reason.getMessage());
        stop();
        channel()
                .writeAndFlush(TransferProtocol.refusal(channel().alloc(), reason))
                .addListener(ChannelFutureListener.CLOSE);
    }

    private void onRequest(TransferRequest request) {
        try {
            BlockAccess access = regions.open(request);
            if (request.isWrite()) {
                writeId = request.requestId();
                writing = access;
                stored = 0;
                receiveNext();
            } else {
                answer(access);
            }
        } catch (CrailException reason) {
            if (request.isWrite()) {
                writeId = request.requestId();
                refusal = reason;
                skip(request.length());
            } else {
                channel().write(TransferProtocol.failure(channel().alloc(), request.requestId(), reason));
            }
        }
    }

    private void answer(BlockAccess access) throws StorageFailureException {
        TransferRequest request = access.request();
        ReferenceCounted content;
        try {
            content = access.content(channel());
        } catch (IOException e) {
            throw diskFailed(request, e);
        }
        channel().write(TransferProtocol.success(channel().alloc(), request.requestId(), request.length()));
        ChannelFuture written = channel().write(content);
        if (content instanceof OpenFileRegion && !access.isMapped()) {
            written.addListener(sent -> onSent(request, sent.cause()));
        }
    }

    /** The head has been sent, so of a failure the client sees a broken connection only. */
    private void onSent(TransferRequest request, Throwable cause) {
        if (cause instanceof IOException && !(cause instanceof ClosedChannelException)) {
            LOG.warn(
                    "{} could not be sent to {}: either that is gone, or the disk cannot be read",
                    request,
                    peer,
                    cause);
        }
    }

    private static StorageFailureException diskFailed(TransferRequest request, IOException cause) {
        return new StorageFailureException(
                request + ": the datanode's disk failed (" + cause + "); see its log", cause);
    }

    /** Where a file is not mapped, bytes pass through a buffer, piece by piece. */
    private void receiveNext() {
        if (writing.isMapped()) {
            receiveInto(Unpooled.wrappedBuffer(writing.mapped()).clear());
        } else {
            int bytes = Math.min(PIECE_BYTES, writing.request().length() - stored);
            receiveInto(channel().alloc().directBuffer(bytes, bytes));
        }
    }

    @Override
    boolean beginReceive() {
        try {
            if (writing != null && writing.isMapped()) {
                writing.enter();
            }
        } catch (CrailException reason) {
            refuseWrite(reason);
        }
        return refusal == null;
    }

    @Override
    void endReceive() {
        try {
            if (writing != null && writing.isMapped()) {
                writing.leave();
            }
        } catch (StorageFailureException reason) {
            refuseWrite(reason);
        }
    }

    @Override
    void unstage(ByteBuf staged, int bytes, ByteBuf target) {
        if (writing == null || !writing.isMapped()) {
            super.unstage(staged, bytes, target);
            return;
        }
        try {
            writing.copy(staged, bytes, target);
        } catch (StorageFailureException reason) {
            endReceive();
            refuseWrite(reason);
        }
    }

    /** Stores a piece of a file that is not mapped; answers whether it was the last one. */
    private boolean store(ByteBuf piece) {
        int left = writing.request().length() - stored - piece.readableBytes();
        try {
            storeNow(piece);
        } catch (CrailException reason) {
            refuseWrite(reason);
        } catch (IOException e) {
            refuseWrite(diskFailed(writing.request(), e));
        }
        if (left > 0) {
            receiveRest(left);
        }
        return left == 0;
    }

    private void storeNow(ByteBuf piece) throws IOException {
        if (writing.hasFailed()) {
            throw writing.failed();
        }
        writing.enter();
        try {
            writing.store(stored, piece.nioBuffer());
            stored += piece.readableBytes();
        } finally {
            writing.leave();
        }
    }

    private void receiveRest(int left) {
        if (refusal == null) {
            receiveNext();
        } else {
            skip(left);
        }
    }

    private void refuseWrite(CrailException reason) {
        refusal = reason;
        writing = null;
    }

    @Override
    void onPayload(ByteBuf received) {
        if (stage == Stage.HELLO) {
            onClusterId(received.toString(StandardCharsets.UTF_8));
            return;
        }
        if (writing != null && !writing.isMapped() && !store(received)) {
            return;
        }
        try {
            if (writing != null) {
                writing.requireCurrent();
            }
        } catch (CrailException reason) {
            refuseWrite(reason);
        }
        channel()
                .write(
                        refusal == null
                                ? TransferProtocol.success(channel().alloc(), writeId, 0)
                                : TransferProtocol.failure(channel().alloc(), writeId, refusal));
        writing = null;
        refusal = null;
    }

    @Override
    void onFailure(Throwable cause) {
        if (cause instanceof CrailException) {
            PEER_LOG.warn("{}: {}; closing the connection", peer, cause.getMessage());
        } else if (cause instanceof IOException) {
            LOG.debug("the connection of {} broke", peer, cause);
        } else {
            PEER_LOG.error("a request of {} could not be handled; closing the connection", peer, cause);
        }
        channel().close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        boolean writable = channel().isWritable();
        channel().config().setAutoRead(writable);
        if (writable) {
            channel().eventLoop().execute(this::resume);
        }
    }

    private void resume() {
        handleStaged();
        channel().flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stop();
        if (helloLimit != null) {
            helloLimit.cancel(false);
        }
        if (clientId != null) {
            clients.remove(clientId, channel());
            regions.check(); // the kernel sends nothing from memory that has gone, and receives nothing into it
        }
    }

    private enum Stage {
        HELLO,
        GREETED,
        READY
    }
}
