/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/**
 * The least that one-sided reads take with DiSNI: work requests, prepared once, posted by the caller, who takes their
 * completions by itself. Not thread safe.
 */
final class RawVerbs implements BlockReader, AutoCloseable {
    private static final int CONNECT_LIMIT_MS = 10_000;

    private final boolean events;
    private final RdmaPassiveEndpointGroup<RdmaEndpoint> group;
    private final RdmaEndpoint endpoint;
    private final List<ByteBuffer> targets = new ArrayList<>(); // which keeps the memory that the device writes to
    private final List<SVCPostSend> posts = new ArrayList<>();
    private final IbvCQ queue;
    private final SVCPollCq poll;
    private final SVCReqNotify arm;
    private final IbvWC[] completions = new IbvWC[MOST_IN_FLIGHT];

    /**
     * Connects and prepares reads of remote memory.
     *
     * @param events whether to sleep until the device tells of a completion, instead of polling
     */
    RawVerbs(InetSocketAddress datanode, long remoteAddress, int remoteKey, int size, boolean events) throws Exception {
        this.events = events;
        this.group = new RdmaPassiveEndpointGroup<>(CONNECT_LIMIT_MS / 100, MOST_IN_FLIGHT, 1, MOST_IN_FLIGHT);
        group.init((id, serverSide) -> new Endpoint(group, id, serverSide));
        this.endpoint = group.createEndpoint();
        endpoint.connect(datanode, CONNECT_LIMIT_MS);
        for (int i = 0; i < MOST_IN_FLIGHT; i++) {
            completions[i] = new IbvWC();
            targets.add(ByteBuffer.allocateDirect(size));
            IbvMr region =
                    endpoint.registerMemory(targets.get(i)).execute().free().getMr();
            posts.add(endpoint.postSend(List.of(read(region, remoteAddress, remoteKey))));
        }
        this.queue = endpoint.getCqProvider().getCQ();
        this.poll = queue.poll(completions, MOST_IN_FLIGHT);
        this.arm = queue.reqNotification(false);
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

    /** Reads of one connection complete in order, so the oldest work request is free again first. */
    @Override
    public void read(int reads, int inFlight) throws IOException {
        int posted = 0;
        int done = 0;
        while (done < reads) {
            while (posted < reads && posted - done < inFlight) {
                posts.get(posted++ % MOST_IN_FLIGHT).execute();
            }
            done += take();
        }
    }

    /** Waits for completions, and answers how many there were. */
    private int take() throws IOException {
        int count = poll.execute().getPolls();
        if (count == 0 && events) {
            arm.execute();
            count = poll.execute().getPolls();
            if (count == 0) {
                queue.getChannel().getCqEvent(queue, CONNECT_LIMIT_MS);
            }
        } else if (count == 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < count; i++) {
            if (completions[i].getStatus() != 0) {
                throw new IOException("a read ended with status " + completions[i].getStatus());
            }
        }
        return count;
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
