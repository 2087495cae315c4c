/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;

/** A store's side of the tier: threads, and the endpoints that share them. All methods are thread safe. */
final class TcpStorageClient implements StorageClient {
    private final TcpClientSettings settings;
    final EventLoops loops;
    private final boolean ownsLoops;
    private final Set<TcpEndpoint> endpoints = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Makes one that ends the threads when it is closed, if they are its own. */
    TcpStorageClient(TcpClientSettings settings, EventLoops loops, boolean ownsLoops) {
        this.settings = settings;
        this.loops = loops;
        this.ownsLoops = ownsLoops;
    }

    @Override
    public StorageEndpoint createEndpoint(DataNodeInfo datanode) throws CrailException {
        TcpEndpoint endpoint = new TcpEndpoint(datanode, settings, loops, endpoints::remove);
        endpoints.add(endpoint);
        if (closed) {
            endpoint.close();
            throw new ClosedException("the client of the tcp tier has been closed; make another store");
        }
        return endpoint;
    }

    @Override
    public void close() {
        closed = true;
        endpoints.forEach(TcpEndpoint::close);
        if (ownsLoops) {
            loops.close();
        }
    }
}
