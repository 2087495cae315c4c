/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.storage.datanode.Datanode;

/** Servers in this process. Used by one thread at a time. */
public final class LocalServers implements ClusterServers {
    private final String host;
    private final Map<Integer, Datanode> datanodes = new HashMap<>();
    private final Map<Integer, RpcTransport> transports = new HashMap<>();
    private Namenode namenode;

    /** For servers at this address of this machine. */
    public LocalServers(String host) {
        this.host = host;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public InetSocketAddress startNamenode(CrailConfiguration configuration) throws CrailException {
        namenode = Namenode.start(configuration, NamenodeOptions.none());
        return namenode.address();
    }

    @Override
    public CheckResponse check() throws CrailException {
        return namenode.service().check(new CheckRequest());
    }

    @Override
    public void stopNamenode() {
        namenode.close();
    }

    @Override
    public StartedDatanode startDatanode(int number, CrailConfiguration configuration, DatanodeOptions options)
            throws CrailException {
        RpcTransport transport =
                RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
        Datanode datanode = Datanode.start(
                configuration, transport, options.tier(), options.storageClass(), options.tierArguments());
        transports.put(number, transport);
        datanodes.put(number, datanode);
        return new StartedDatanode(datanode.info(), datanode.capacityBytes());
    }

    @Override
    public void stopDatanode(int number) {
        datanodes.get(number).close();
    }

    /** A dead process sends nothing: the datanode's connection ends before it could say goodbye. */
    @Override
    public void killDatanode(int number) {
        transports.get(number).close();
        datanodes.get(number).close();
    }

    @Override
    public void close() {
        datanodes.values().forEach(Datanode::close);
        if (namenode != null) {
            namenode.close();
        }
    }
}
