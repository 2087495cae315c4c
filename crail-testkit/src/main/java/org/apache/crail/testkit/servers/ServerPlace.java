/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.net.InetSocketAddress;

/**
 * Where the servers of tests run if the kind of a cluster leaves that open. Two system properties say it: {@code
 * crail.test.agent} (HOST:PORT of a {@link ServerAgent}) puts them on the agent's host; without it they run in this process, at
 * the address in {@code crail.test.host}. Stateless.
 */
public final class ServerPlace {
    private static final String AGENT_PROPERTY = "crail.test.agent";
    private static final String HOST_PROPERTY = "crail.test.host";

    private ServerPlace() {}

    /** Whether servers run in this process. */
    public static boolean isHere() {
        return System.getProperty(AGENT_PROPERTY) == null;
    }

    /** Servers of one cluster, none of them started yet. */
    public static Servers newServers() throws Exception {
        String agent = System.getProperty(AGENT_PROPERTY);
        if (agent == null) {
            return new LocalServers(System.getProperty(HOST_PROPERTY, "localhost"));
        }
        int colon = agent.lastIndexOf(':');
        return RemoteServers.connect(
                new InetSocketAddress(agent.substring(0, colon), Integer.parseInt(agent.substring(colon + 1))));
    }
}
