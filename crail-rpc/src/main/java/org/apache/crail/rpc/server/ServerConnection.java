/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.nio.ByteBuffer;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.PeerLog;
import org.apache.crail.rpc.message.ChangeRequest;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.ForgetRequest;
import org.apache.crail.rpc.message.GoodbyeRequest;
import org.apache.crail.rpc.message.GoodbyeResponse;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.message.StatusRequest;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a client: decodes requests, has them executed in place, and answers. Confined to its channel. */
final class ServerConnection implements RpcChannel.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    private static final PeerLog PEER_LOG = new PeerLog(LOG);

    private final RpcChannel channel;
    private final MetadataService service;
    private final MetadataAcceptor acceptor;
    private final ConnectionWatch watch;

    /** Written by the channel's thread only. */
    private volatile ClientSession session;

    ServerConnection(RpcChannel channel, MetadataService service, MetadataAcceptor acceptor) {
        this.channel = channel;
        this.service = service;
        this.acceptor = acceptor;
        this.watch = acceptor.watch(channel, () -> session != null);
    }

    @Override
    public void onMessage(ByteBuffer message) {
        watch.heard();
        if (message.remaining() < RequestFrame.HEADER_LENGTH) {
            PEER_LOG.warn(
                    "{} sent {} bytes that are no request; closing the connection",
                    channel.peer(),
                    message.remaining());
            channel.close();
            return;
        }
        long requestId = message.getLong();
        long oldestPending = message.getLong();
        int number = message.getShort();
        try {
            Request<?> request = Operation.ofNumber(number).decodeRequest(message);
            onRequest(new RequestFrame(requestId, oldestPending, request));
        } catch (CrailException e) {
            channel.send(ResponseFrame.failure(requestId, e));
            if (session == null) {
                PEER_LOG.warn("{} did not open a session: {}; closing the connection", channel.peer(), e.getMessage());
                channel.close();
            }
        }
    }

    private void onRequest(RequestFrame frame) throws CrailException {
        if (frame.request() instanceof HelloRequest hello) {
            open(hello);
            channel.send(ResponseFrame.success(frame.requestId(), service.cluster()));
        } else if (session == null) {
            throw new ProtocolMismatchException("the first request on a connection must open the session");
        } else if (frame.request().remembered()) {
            acceptor.all().beforeChange();
            channel.send(session.executeOnce(frame, () -> execute(frame)));
        } else if (frame.request() instanceof GoodbyeRequest) {
            acceptor.all().end(session);
            channel.send(ResponseFrame.success(frame.requestId(), new GoodbyeResponse()));
        } else if (frame.request() instanceof CheckRequest) {
            acceptor.check(() -> execute(frame), channel::send);
        } else {
            channel.send(execute(frame));
        }
    }

    private void open(HelloRequest hello) throws CrailException {
        if (hello.magic() != HelloRequest.MAGIC || hello.version() != HelloRequest.VERSION) {
            throw new ProtocolMismatchException("the client speaks version " + hello.version()
                    + " of the metadata protocol, this namenode version " + HelloRequest.VERSION
                    + "; use the same release on both sides");
        }
        String clusterId = service.cluster().clusterId();
        if (!clusterId.equals(hello.clusterId())) {
            throw new ClusterMismatchException("this namenode serves the cluster \"" + clusterId
                    + "\", the client wants \"" + hello.clusterId()
                    + "\"; make crail.clusterid equal or connect to another namenode");
        }
        if (session == null) {
            session = acceptor.all().open(hello, service.cluster().incarnation());
        }
    }

    private ResponseFrame execute(RequestFrame frame) {
        try {
            return ResponseFrame.success(frame.requestId(), dispatch(frame.request()));
        } catch (CrailException e) {
            return ResponseFrame.failure(frame.requestId(), e);
        } catch (RuntimeException e) {
            PEER_LOG.error("{} failed", frame.request(), e);
            return ResponseFrame.failure(
                    frame.requestId(),
                    new InternalErrorException(frame.request().operation() + " failed at the namenode: " + e, e));
        }
    }

    private Response dispatch(Request<?> request) throws CrailException {
        return switch (request.operation()) {
            case HELLO -> service.cluster();
            case CREATE -> service.create((CreateRequest) request);
            case LOOKUP -> service.lookup((LookupRequest) request);
            case SYNC -> service.sync((SyncRequest) request);
            case REMOVE -> service.remove((RemoveRequest) request);
            case MOVE -> service.move((MoveRequest) request);
            case MAP -> service.map((MapRequest) request);
            case LOCATE -> service.locate((LocateRequest) request);
            case REGISTER -> service.register((RegisterRequest) request);
            case HEARTBEAT -> service.heartbeat((HeartbeatRequest) request);
            case CHILDREN -> service.children((ChildrenRequest) request);
            case STATUS -> service.status((StatusRequest) request);
            case CHANGE -> service.change((ChangeRequest) request);
            case REPORT -> service.report((ReportRequest) request);
            case CHECK -> service.check((CheckRequest) request);
            case FORGET -> service.forget((ForgetRequest) request);
            case GOODBYE -> new GoodbyeResponse();
            case PING -> new PingResponse(((PingRequest) request).number() + 1);
        };
    }

    @Override
    public void onClosed(Throwable cause) {
        watch.end();
        if (cause != null) {
            LOG.debug("connection of {} ended", channel.peer(), cause);
        }
        if (session != null) {
            acceptor.all().disconnected(session);
            session = null;
        }
    }
}
