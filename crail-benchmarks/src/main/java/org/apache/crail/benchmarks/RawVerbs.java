/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;

/**
 * The least that a one-sided read takes with DiSNI: one work request, prepared once, posted and polled for by the caller. Not
 * thread safe.
 */
final class RawVerbs implements AutoCloseable {
    private static final int CONNECT_LIMIT_MS = 10_000;
    private static final int DEPTH = 4;

    private final RdmaPassiveEndpointGroup<RdmaEndpoint> group;
    private final RdmaEndpoint endpoint;
    private final SVCPostSend post;
    private final SVCPollCq poll;
    private final IbvWC[] completions = {new IbvWC()};

    /** Connects and prepares the read of {@code target.capacity()} bytes of remote memory. */
    RawVerbs(InetSocketAddress datanode, long remoteAddress, int remoteKey, ByteBuffer target) throws Exception {
        this.group = new RdmaPassiveEndpointGroup<>(CONNECT_LIMIT_MS / 100, DEPTH, 1, DEPTH);
        group.init((id, serverSide) -> new Endpoint(group, id, serverSide));
        this.endpoint = group.createEndpoint();
        endpoint.connect(datanode, CONNECT_LIMIT_MS);
        IbvMr region = endpoint.registerMemory(target).execute().free().getMr();
        this.post = endpoint.postSend(List.of(read(region, remoteAddress, remoteKey)));
        this.poll = endpoint.getCqProvider().getCQ().poll(completions, 1);
    }

    private static final class Endpoint extends RdmaEndpoint {
        Endpoint(RdmaPassiveEndpointGroup<RdmaEndpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }
    }

    @SuppressWarnings("JdkObsolete") // DiSNI asks for a LinkedList
    private static IbvSendWR read(IbvMr region, long remoteAddress, int remoteKey) {
        IbvSge piece = new IbvSge();
        piece.setAddr(region.getAddr());
        piece.setLength(region.getLength());
        piece.setLkey(region.getLkey());
        IbvSendWR request = new IbvSendWR();
        request.setSg_list(new LinkedList<>(List.of(piece)));
        request.setNum_sge(1);
        request.setOpcode(IbvSendWR.IBV_WR_RDMA_READ);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.getRdma().setRemote_addr(remoteAddress);
        request.getRdma().setRkey(remoteKey);
        return request;
    }

    /** Reads, and polls until that is done. */
    void read() throws IOException {
        post.execute();
        while (poll.execute().getPolls() == 0) {
            Thread.onSpinWait();
        }
        if (completions[0].getStatus() != 0) {
            throw new IOException("the read ended with status " + completions[0].getStatus());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            endpoint.close();
            group.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
