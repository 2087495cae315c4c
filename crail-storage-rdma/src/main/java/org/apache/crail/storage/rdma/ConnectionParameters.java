/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.RdmaConnParam;
import java.io.IOException;

/** What the ends of a connection agree on. Stateless. */
final class ConnectionParameters {
    /**
     * How often a device sends a packet again that is not acknowledged, which takes some seconds. The connecting end's
     * number holds for both. The field would hold 7, too, which SoftRoCE takes for "for ever": a datanode would never
     * learn that a client's host is gone.
     */
    private static final byte RETRIES = 6;

    private ConnectionParameters() {}

    static RdmaConnParam create() throws IOException {
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count(RETRIES);
        parameters.setRnr_retry_count(RETRIES);
        return parameters;
    }
}
