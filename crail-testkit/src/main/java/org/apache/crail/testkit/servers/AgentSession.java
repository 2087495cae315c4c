/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.InvalidRequestException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to an agent and the servers that were started over it; they end with it. Run by one thread. */
final class AgentSession implements Runnable {
    static final String START_NAMENODE = "start-namenode";
    static final String CHECK = "check";
    static final String STOP_NAMENODE = "stop-namenode";
    static final String START_DATANODE = "start-datanode";
    static final String STOP_DATANODE = "stop-datanode";
    static final String KILL_DATANODE = "kill-datanode";
    static final String OPEN_CLIENT = "open-client";
    static final String CLOSE = "close";
    static final String KILL_HOST = "kill-host";

    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);

    private static final int IDLE_CLIENTS_BYTES = 1_000;

    private static final Set<CrailStore> CLIENTS = ConcurrentHashMap.newKeySet();

    private final Socket socket;
    private final Runnable killer;
    private final LocalServers servers;

    AgentSession(Socket socket, Runnable killer) {
        this.socket = socket;
        this.killer = killer;
        this.servers = new LocalServers(socket.getLocalAddress().getHostAddress());
    }

    @Override
    public void run() {
        try (socket;
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()))) {
            AgentMessage request;
            do {
                request = AgentMessage.read(in);
                answer(request).write(out);
            } while (!request.word().equals(CLOSE));
        } catch (IOException e) {
            LOG.info("a test went away", e);
        } finally {
            servers.close();
        }
    }

    private AgentMessage answer(AgentMessage request) {
        try {
            return execute(request);
        } catch (CrailException e) {
            return AgentMessage.failure(e);
        }
    }

    private AgentMessage execute(AgentMessage request) throws CrailException {
        switch (request.word()) {
            case START_NAMENODE -> {
                InetSocketAddress address = servers.startNamenode(request.configuration(0));
                return AgentMessage.of(AgentMessage.DONE, address.getPort());
            }
            case START_DATANODE -> {
                return AgentMessage.of(startDatanode(request));
            }
            case OPEN_CLIENT -> openClient(request.configuration(0));
            case CHECK -> {
                return AgentMessage.of(servers.check());
            }
            case STOP_NAMENODE -> servers.stopNamenode();
            case STOP_DATANODE -> servers.stopDatanode(request.integer(0));
            case KILL_DATANODE -> servers.killDatanode(request.integer(0));
            case CLOSE -> servers.close();
            case KILL_HOST -> killer.run();
            default -> throw new InvalidRequestException("an agent cannot " + request.word());
        }
        return AgentMessage.of(AgentMessage.DONE);
    }

    /** Values: number, tier, storage class, count of tier arguments, these, and the configuration. */
    private StartedDatanode startDatanode(AgentMessage request) throws CrailException {
        int end = 4 + request.integer(3);
        List<String> values = request.values();
        DatanodeOptions options = new DatanodeOptions(values.get(1), request.integer(2), values.subList(4, end));
        return servers.startDatanode(request.integer(0), request.configuration(end), options);
    }

    /**
     * The process of the agent holds it until its end, and with it its connections to the namenode and to a datanode.
     */
    private static void openClient(CrailConfiguration configuration) throws CrailException {
        try {
            CrailStore store = CrailStore.newInstance(configuration);
            CLIENTS.add(store);
            writeFile(store, "/of-the-idle-client");
        } catch (CrailException e) {
            throw e;
        } catch (Exception e) { // what a store declares
            throw new InternalErrorException("no store can be opened", e);
        }
    }

    private static void writeFile(CrailStore store, String path) throws Exception {
        CrailFile file = store.create(
                        path, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                .get()
                .asFile();
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(IDLE_CLIENTS_BYTES)) {
            out.write(new byte[IDLE_CLIENTS_BYTES]);
        }
    }
}
