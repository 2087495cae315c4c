/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.net.InetSocketAddress;

/**
 * Where the servers of tests run if the kind of a cluster leaves that open. The system property {@code
 * crail.test.agent} (HOST:PORT of a {@link ServerAgent}) puts them on the agent's host; without it they run in this
 * process. {@code crail.test.host} is the address of this process's host. Stateless.
 */
public final class ServerPlace {
    private static final String AGENT_PROPERTY = "crail.test.agent";
    private static final String HOST_PROPERTY = "crail.test.host";

    private ServerPlace() {}

    /** Whether servers run in this process. */
    public static boolean isHere() {
        return System.getProperty(AGENT_PROPERTY) == null;
    }

    /** The name or address that servers in this process listen on. */
    public static String testHost() {
        return System.getProperty(HOST_PROPERTY, "localhost");
    }

    /** Servers of one cluster, none of them started yet. */
    public static ClusterServers newServers() throws Exception {
        String agent = System.getProperty(AGENT_PROPERTY);
        if (agent == null) {
            return new LocalServers(testHost());
        }
        int colon = agent.lastIndexOf(':');
        return RemoteServers.connect(
                new InetSocketAddress(agent.substring(0, colon), Integer.parseInt(agent.substring(colon + 1))));
    }
}
