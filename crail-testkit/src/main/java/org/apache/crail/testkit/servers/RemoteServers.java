/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.rpc.message.CheckResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers that a {@link ServerAgent} runs in another process or on another host. Used by one thread at a time. */
public final class RemoteServers implements ClusterServers {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteServers.class);
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final int CONNECT_LIMIT_MS = 2_000;
    private static final long CONNECT_PAUSE_MS = 50;
    private static final int ANSWER_LIMIT_MS = 60_000;

    private final InetSocketAddress agent;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private RemoteServers(InetSocketAddress agent, Socket socket) throws IOException {
        this.agent = agent;
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Connects to an agent; waits for it where its host is still starting. */
    public static RemoteServers connect(InetSocketAddress agent) throws Exception {
        long deadlineNs = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                return new RemoteServers(agent, open(agent));
            } catch (IOException e) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new InternalErrorException("no agent answered at " + agent + " within " + START_LIMIT, e);
                }
                LOG.debug("no agent yet at {}", agent, e);
                Thread.sleep(CONNECT_PAUSE_MS);
            }
        }
    }

    private static Socket open(InetSocketAddress agent) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(agent, CONNECT_LIMIT_MS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(ANSWER_LIMIT_MS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public String host() {
        return agent.getHostString();
    }

    @Override
    public InetSocketAddress startNamenode(CrailConfiguration configuration) throws CrailException {
        AgentMessage answer = ask(AgentMessage.of(AgentSession.START_NAMENODE).with(configuration));
        return new InetSocketAddress(host(), answer.integer(0));
    }

    @Override
    public CheckResponse check() throws CrailException {
        return ask(AgentMessage.of(AgentSession.CHECK)).toCheck();
    }

    @Override
    public void stopNamenode() throws CrailException {
        ask(AgentMessage.of(AgentSession.STOP_NAMENODE));
    }

    @Override
    public StartedDatanode startDatanode(int number, CrailConfiguration configuration, DatanodeOptions options)
            throws CrailException {
        List<String> tierArguments = options.tierArguments();
        List<Object> values =
                new ArrayList<>(List.of(number, options.tier(), options.storageClass(), tierArguments.size()));
        values.addAll(tierArguments);
        return ask(AgentMessage.of(AgentSession.START_DATANODE, values.toArray())
                        .with(configuration))
                .toDatanode();
    }

    @Override
    public void stopDatanode(int number) throws CrailException {
        ask(AgentMessage.of(AgentSession.STOP_DATANODE, number));
    }

    @Override
    public void killDatanode(int number) throws CrailException {
        ask(AgentMessage.of(AgentSession.KILL_DATANODE, number));
    }

    @Override
    public void openClient(CrailConfiguration configuration) throws CrailException {
        ask(AgentMessage.of(AgentSession.OPEN_CLIENT).with(configuration));
    }

    /** Does not wait for an answer: there will be none. */
    @Override
    public void killHost() throws CrailException {
        try {
            AgentMessage.of(AgentSession.KILL_HOST).write(out);
            socket.close();
        } catch (IOException e) {
            throw new InternalErrorException("the agent at " + agent + " could not be told to kill its host", e);
        }
    }

    private AgentMessage ask(AgentMessage request) throws CrailException {
        try {
            request.write(out);
            AgentMessage answer = AgentMessage.read(in);
            if (answer.word().equals(AgentMessage.FAILED)) {
                throw answer.toFailure();
            }
            return answer;
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new InternalErrorException("the agent at " + agent + " gave no answer to " + request.word(), e);
        }
    }

    @Override
    public void close() {
        try (socket) {
            if (!socket.isClosed()) {
                ask(AgentMessage.of(AgentSession.CLOSE));
            }
        } catch (IOException e) {
            LOG.info("the agent at {} is gone", agent, e);
        }
    }
}
