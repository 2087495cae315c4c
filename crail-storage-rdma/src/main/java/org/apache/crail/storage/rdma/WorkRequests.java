/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import java.util.LinkedList;

/** Makes work requests whose details are filled in later. Stateless. */
final class WorkRequests {
    private WorkRequests() {}

    static IbvSendWR read() {
        return request(IbvSendWR.IBV_WR_RDMA_READ, new IbvSge());
    }

    static IbvSendWR write() {
        return request(IbvSendWR.IBV_WR_RDMA_WRITE, new IbvSge());
    }

    /** A write of nothing: it tells whether the other end still answers, and needs no key of it. */
    static IbvSendWR probe() {
        IbvSendWR probe = request(IbvSendWR.IBV_WR_RDMA_WRITE);
        probe.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        return probe;
    }

    @SuppressWarnings("JdkObsolete") // DiSNI asks for a LinkedList
    private static IbvSendWR request(int opcode, IbvSge... pieces) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(opcode);
        LinkedList<IbvSge> list = new LinkedList<>();
        for (IbvSge piece : pieces) {
            list.add(piece);
        }
        request.setSg_list(list);
        request.setNum_sge(list.size());
        return request;
    }
}
