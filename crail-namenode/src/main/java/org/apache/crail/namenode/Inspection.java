/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.transport.RpcTransport;

/** Tells what there is. Not thread safe; needs the namespace's read lock. */
final class Inspection {
    private static final int MAX_REPORT_BYTES = RpcTransport.MAX_MESSAGE_BYTES - 2048;

    private final Namespace namespace;
    private final long startNs;

    Inspection(Namespace namespace) {
        this.namespace = namespace;
        this.startNs = namespace.nowNs();
    }

    ReportResponse report(ReportRequest request) throws InvalidRequestException {
        if (request.firstDatanode() < 0) {
            throw new InvalidRequestException(
                    "cannot report from datanode " + request.firstDatanode() + " on; begin at 0 or more");
        }
        long nowNs = namespace.nowNs();
        List<DatanodeReport> all = namespace.blocks().report(nowNs);
        List<DatanodeReport> page = new ArrayList<>();
        int bytes = 0;
        for (int i = request.firstDatanode(); i < all.size() && bytes <= MAX_REPORT_BYTES; i++) {
            bytes += all.get(i).encodedLength();
            page.add(all.get(i));
        }
        return new ReportResponse(
                namespace.settings().clusterId(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - startNs),
                namespace.settings().blockSizeBytes(),
                namespace.tree().size(),
                all.size(),
                page);
    }
}
