/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import org.apache.crail.error.CrailException;

/** A queue pair of DiSNI. Threads as {@link WorkQueue} says. */
final class VerbsQueue implements WorkQueue {
    private static final int MOST_AT_ONCE = 32;

    private final VerbsDevice device;
    private final CmChannel channel;
    private final RdmaCmId id;
    private final IbvCQ completionQueue;
    private final IbvWC[] completions;
    private final SVCPollCq pollCall;
    private final SVCReqNotify armCall;
    private final TransferCalls calls;

    /**
     * Makes the queue pair of an id that is about to be connected; channel and id become the queue's if this succeeds.
     */
    VerbsQueue(VerbsDevice device, CmChannel channel, RdmaCmId id, int size) throws IOException {
        this.device = device;
        this.channel = channel;
        this.id = id;
        try (Rollback made = new Rollback()) {
            this.completionQueue = device.context().createCQ(device.completionChannel(), size, 0);
            made.add("destroying a completion queue", completionQueue::destroyCQ);
            IbvQP pair = createQueuePair(id, device, completionQueue, size);
            made.add("destroying a queue pair", id::destroyQP);
            this.calls = new TransferCalls(
                    requests -> pair.postSend(requests, null), device.fenceAddress(), device.fenceKey());
            made.add("freeing the calls", calls::free);
            this.completions = newCompletions(Math.min(size, MOST_AT_ONCE));
            this.pollCall = completionQueue.poll(completions, completions.length);
            made.add("freeing a call", pollCall::free);
            this.armCall = completionQueue.reqNotification(false);
            made.add("freeing a call", armCall::free);
            made.keep();
        }
    }

    private static IbvQP createQueuePair(RdmaCmId id, VerbsDevice device, IbvCQ completionQueue, int size)
            throws IOException {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(size);
        attributes.cap().setMax_recv_wr(1);
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_recv_sge(1);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(completionQueue);
        attributes.setRecv_cq(completionQueue);
        return id.createQP(device.domain(), attributes);
    }

    private static IbvWC[] newCompletions(int count) {
        IbvWC[] completions = new IbvWC[count];
        for (int i = 0; i < count; i++) {
            completions[i] = new IbvWC();
        }
        return completions;
    }

    @Override
    public int localKey(RdmaTransfer transfer) throws CrailException {
        return device.memory().registration(transfer).localKey();
    }

    @Override
    public void post(int slot, RdmaTransfer transfer, int localKey) throws IOException {
        calls.post(slot, transfer, localKey);
    }

    @Override
    public int poll() throws IOException {
        return pollCall.execute().getPolls();
    }

    @Override
    public int slot(int index) {
        return (int) completions[index].getWr_id();
    }

    @Override
    public int status(int index) {
        return completions[index].getStatus();
    }

    @Override
    public void arm() throws IOException {
        armCall.execute();
    }

    @Override
    public boolean isDisconnected() {
        return channel.hasEnded();
    }

    /** Why the connection was not made: the library tells it whoever posts to a queue pair that has failed. */
    String refusal() {
        try {
            calls.repeat();
            return "no reason is known";
        } catch (IOException e) {
            return VerbsErrors.text(e);
        }
    }

    @Override
    public void destroy() {
        VerbsErrors.quietly("disconnecting", id::disconnect);
        VerbsErrors.quietly("destroying a queue pair", id::destroyQP);
        calls.free();
        VerbsErrors.quietly("destroying an id", id::destroyId);
        channel.close();
    }

    @Override
    public void release() {
        pollCall.free();
        armCall.free();
        VerbsErrors.quietly("destroying a completion queue", completionQueue::destroyCQ);
    }
}
