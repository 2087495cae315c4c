/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.List;

/**
 * The work requests of one queue pair, laid out in native memory once and rewritten for each transfer. A read is one
 * RDMA READ. A write is an RDMA WRITE and an RDMA READ of the last byte that it writes, and only the READ says that it
 * is done: others can read the bytes then. For one thread at a time.
 */
final class TransferCalls {
    private final SVCPostSend readCall;
    private final SVCPostSend writeCall;

    /**
     * Lays the work requests out.
     *
     * @param fenceAddress of one byte of memory for what is read behind a write
     * @param fenceKey of that memory
     */
    TransferCalls(Maker maker, long fenceAddress, int fenceKey) throws IOException {
        try (Rollback made = new Rollback()) {
            this.readCall = maker.make(List.of(WorkRequests.read()));
            made.add("freeing a call", readCall::free);
            this.writeCall = maker.make(List.of(WorkRequests.write(), WorkRequests.read()));
            made.add("freeing a call", writeCall::free);
            readCall.getWrMod(0).setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            prepareFence(writeCall.getWrMod(1), fenceAddress, fenceKey);
            made.keep();
        }
    }

    /** The second work request of a write differs from transfer to transfer only in what it reads. */
    private static void prepareFence(SVCPostSend.SendWRMod fence, long address, int key) {
        SVCPostSend.SgeMod target = fence.getSgeMod(0);
        target.setAddr(address);
        target.setLength(1);
        target.setLkey(key);
        fence.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
    }

    /** Posts what a transfer takes; the completion will carry {@code slot}. */
    void post(int slot, RdmaTransfer transfer, int localKey) throws IOException {
        SVCPostSend call = transfer.range().isWrite() ? writeCall : readCall;
        fill(call.getWrMod(0), slot, transfer, localKey);
        if (transfer.range().isWrite()) {
            SVCPostSend.SendWRMod fence = call.getWrMod(1);
            fence.setWr_id(slot);
            fence.getRdmaMod()
                    .setRemote_addr(transfer.remoteAddress() + transfer.range().length() - 1);
            fence.getRdmaMod().setRkey(transfer.range().block().getLkey());
        }
        call.execute();
    }

    private static void fill(SVCPostSend.SendWRMod request, int slot, RdmaTransfer transfer, int localKey) {
        request.setWr_id(slot);
        request.getRdmaMod().setRemote_addr(transfer.remoteAddress());
        request.getRdmaMod().setRkey(transfer.range().block().getLkey());
        SVCPostSend.SgeMod local = request.getSgeMod(0);
        local.setAddr(transfer.range().buffer().address() + transfer.range().start());
        local.setLength(transfer.range().length());
        local.setLkey(localKey);
    }

    /** Posts the read as it is, to a queue pair that takes nothing: the failure tells why. */
    void repeat() throws IOException {
        readCall.execute();
    }

    /** Frees the native memory. */
    void free() {
        readCall.free();
        writeCall.free();
    }

    /** How the queue pair makes a call that posts work requests in this order. */
    @FunctionalInterface
    interface Maker {
        SVCPostSend make(List<IbvSendWR> requests) throws IOException;
    }
}
