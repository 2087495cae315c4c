/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.internal.HostPort;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.transport.RpcTransport;

/** Connections to all namenodes of a cluster, for questions that no application asks. All methods are thread safe. */
public final class Namenodes implements AutoCloseable {
    private final RpcTransport transport;
    private final List<Namenode> namenodes = new ArrayList<>();

    private Namenodes(RpcTransport transport) {
        this.transport = transport;
    }

    /** Connects to the namenodes of a configuration; nothing is sent yet. */
    public static Namenodes connect(CrailConfiguration conf) throws CrailException {
        List<URI> addresses = conf.get(CrailKeys.NAMENODE_ADDRESS);
        Namenodes all = new Namenodes(RpcTransport.createInstance(conf.get(CrailKeys.NAMENODE_RPC_TYPE), conf));
        for (URI uri : addresses) {
            NamenodeConnection connection = NamenodeConnection.of(all.transport, HostPort.of(uri)::resolve, conf);
            all.namenodes.add(new Namenode(uri.getAuthority(), connection));
        }
        return all;
    }

    /** The namenodes, in the order of {@code crail.namenode.address}. */
    public List<Namenode> all() {
        return List.copyOf(namenodes);
    }

    @Override
    public void close() {
        namenodes.forEach(namenode -> namenode.connection.close());
        transport.close();
    }

    /** A namenode that can be asked. All methods are thread safe. */
    public static final class Namenode {
        private final String address;
        private final NamenodeConnection connection;

        private Namenode(String address, NamenodeConnection connection) {
            this.address = address;
            this.connection = connection;
        }

        /** Where it is, as {@code host:port}. */
        public String address() {
            return address;
        }

        /** What it knows of itself and of its datanodes, whose number may need several messages. */
        public List<ReportResponse> report() throws CrailException, InterruptedException {
            List<ReportResponse> pages = new ArrayList<>();
            int told = 0;
            ReportResponse page;
            do {
                page = call(new ReportRequest(told));
                told += page.datanodes().size();
                pages.add(page);
            } while (told < page.datanodeCount());
            return pages;
        }

        /** Asks; a failure shows in the future. */
        public <R extends Response> CompletableFuture<R> ask(Request<R> request) {
            return connection.call(request);
        }

        /** Asks, and waits for the answer. */
        public <R extends Response> R call(Request<R> request) throws CrailException, InterruptedException {
            CompletableFuture<R> answer = ask(request);
            try {
                return answer.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof CrailException failure) {
                    throw failure;
                }
                throw new InternalErrorException(
                        request.operation() + " to namenode " + address + " failed: " + e.getCause(), e.getCause());
            }
        }
    }
}
