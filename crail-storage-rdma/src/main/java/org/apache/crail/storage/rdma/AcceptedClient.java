/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.List;

/** A datanode's end of a connection: a queue pair that nobody posts to, but for probes. Used by one thread. */
final class AcceptedClient {
    private static final int QUEUE_SIZE = 2;

    private final RdmaCmId id;
    private final IbvCQ completionQueue;
    private final IbvWC[] completions = {new IbvWC()};
    private final SVCPollCq pollCall;
    private final SVCPostSend probeCall;
    private boolean probing;

    private AcceptedClient(RdmaCmId id, IbvCQ completionQueue, IbvQP pair, Rollback made) throws IOException {
        this.id = id;
        this.completionQueue = completionQueue;
        this.pollCall = completionQueue.poll(completions, 1);
        made.add("freeing a call", pollCall::free);
        this.probeCall = pair.postSend(List.of(WorkRequests.probe()), null);
        made.add("freeing a call", probeCall::free);
    }

    /** Accepts the connection that an id asks for; if that fails, the id is destroyed, which refuses it. */
    static AcceptedClient accept(RdmaCmId id, IbvContext context, IbvPd domain, IbvCompChannel channel)
            throws IOException {
        try (Rollback made = new Rollback()) {
            made.add("destroying an id", id::destroyId);
            IbvCQ completionQueue = context.createCQ(channel, QUEUE_SIZE, 0);
            made.add("destroying a completion queue", completionQueue::destroyCQ);
            IbvQP pair = createQueuePair(id, domain, completionQueue);
            made.add("destroying a queue pair", id::destroyQP);
            AcceptedClient client = new AcceptedClient(id, completionQueue, pair, made);
            id.accept(ConnectionParameters.create());
            made.keep();
            return client;
        }
    }

    private static IbvQP createQueuePair(RdmaCmId id, IbvPd domain, IbvCQ completionQueue) throws IOException {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(QUEUE_SIZE);
        attributes.cap().setMax_recv_wr(1);
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_recv_sge(1);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(completionQueue);
        attributes.setRecv_cq(completionQueue);
        return id.createQP(domain, attributes);
    }

    RdmaCmId id() {
        return id;
    }

    /** Sends a probe unless one is under way; false if the client's device did not answer the last. */
    boolean probe() {
        try {
            if (probing && pollCall.execute().getPolls() > 0) {
                probing = false;
                if (completions[0].getStatus() != WorkStatus.SUCCESS) {
                    return false;
                }
            }
            if (!probing) {
                probeCall.execute();
                probing = true;
            }
            return true;
        } catch (IOException e) {
            VerbsErrors.ignore("probing a client", e);
            return false;
        }
    }

    /** Ends the connection. */
    void close() {
        VerbsErrors.quietly("disconnecting", id::disconnect);
        VerbsErrors.quietly("destroying a queue pair", id::destroyQP);
        VerbsErrors.quietly("destroying an id", id::destroyId);
        probeCall.free();
        pollCall.free();
        VerbsErrors.quietly("destroying a completion queue", completionQueue::destroyCQ);
    }
}
