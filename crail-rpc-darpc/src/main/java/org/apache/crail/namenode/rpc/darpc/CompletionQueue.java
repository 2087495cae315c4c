/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.disni.RdmaCqProvider;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;

/** A completion queue with its event channel, polled by one thread. Confined to that thread after it has been made. */
final class CompletionQueue extends RdmaCqProvider {
    private final IbvWC[] completions;
    private final SVCPollCq poll;
    private final SVCReqNotify notify;
    private final int pollsToDrain;
    private boolean armed;

    /** Makes a queue of {@code entries} of which up to {@code pollSize} are taken at once. */
    CompletionQueue(IbvContext context, int entries, int pollSize) throws IOException {
        super(context, entries);
        completions = new IbvWC[Math.min(entries, pollSize)];
        pollsToDrain = (entries + completions.length - 1) / completions.length;
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new IbvWC();
        }
        poll = cq.poll(completions, completions.length);
        notify = cq.reqNotification(false);
    }

    /** Takes completions; answers how many there are. */
    int poll() throws IOException {
        return poll.execute().getPolls();
    }

    /** Whether a poll that took so many has left nothing behind that was there before it. */
    boolean isDrainedBy(int count) {
        return count < completions.length;
    }

    /** After how many polls in a row all has been taken that was there before them. */
    int pollsToDrain() {
        return pollsToDrain;
    }

    /** One of those that were taken last. */
    IbvWC completion(int index) {
        return completions[index];
    }

    /** Has the next completion make an event; answers whether that is new, so that one has to poll once more. */
    boolean arm() throws IOException {
        if (armed) {
            return false;
        }
        notify.execute();
        armed = true;
        return true;
    }

    /** Waits for the event. */
    void await(int timeoutMs) throws IOException {
        if (compChannel.getCqEvent(cq, timeoutMs)) {
            cq.ackEvents(1);
            armed = false;
        }
    }

    /** Frees queue and channel, in this order: a channel that is in use cannot be freed. */
    @Override
    public void close() throws IOException {
        poll.free();
        notify.free();
        cq.destroyCQ();
        compChannel.destroyCompChannel();
    }
}
