/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage;

import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;

/** The client side of a tier, shared by all streams of a store. Methods are thread safe. */
public interface StorageClient extends AutoCloseable {
    /**
     * Makes an endpoint to a datanode without waiting for the connection; the transfers tell when there is none. A lost
     * connection is made again for the next transfer.
     */
    StorageEndpoint createEndpoint(DataNodeInfo datanode) throws CrailException;

    /** Closes all endpoints; their pending transfers fail. */
    @Override
    void close();
}
