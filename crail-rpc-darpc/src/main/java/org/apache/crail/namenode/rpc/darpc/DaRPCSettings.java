/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;

/**
 * What the configuration says about this transport. Immutable.
 *
 * @param greeting buffers and calls in flight
 * @param clusterMasks for each cluster the processors of its thread as bits, 0 for any
 */
record DaRPCSettings(
        Greeting greeting,
        boolean polling,
        int sendQueue,
        int maxInline,
        int pollSize,
        List<Long> clusterMasks,
        int clusterSize,
        int backlog,
        int resolveTimeoutMs) {

    /** With fewer, threads that poll keep the processors from what they poll for. */
    static final int POLLING_PROCESSORS = 4;

    private static final long LARGEST_BUFFERS_BYTES = 512L * 1024 * 1024;

    static DaRPCSettings of(CrailConfiguration configuration) throws ConfigurationException {
        DaRPCSettings settings = new DaRPCSettings(
                new Greeting(configuration.get(DaRPCKeys.MESSAGE_SIZE), configuration.get(DaRPCKeys.RECV_QUEUE)),
                configuration.get(DaRPCKeys.POLLING)
                        && Runtime.getRuntime().availableProcessors() >= POLLING_PROCESSORS,
                configuration.get(DaRPCKeys.SEND_QUEUE),
                configuration.get(DaRPCKeys.MAX_INLINE),
                configuration.get(DaRPCKeys.POLL_SIZE),
                masks(configuration.get(DaRPCKeys.AFFINITY)),
                configuration.get(DaRPCKeys.CLUSTER_SIZE),
                configuration.get(DaRPCKeys.BACKLOG),
                (int) configuration.get(DaRPCKeys.CONNECT_TIMEOUT).toMillis());
        settings.requireSaneBuffers();
        settings.requireSaneCompletionQueue();
        return settings;
    }

    private void requireSaneCompletionQueue() throws ConfigurationException {
        long entries = (long) clusterSize * completionsPerConnection();
        if (entries > Integer.MAX_VALUE) {
            throw new ConfigurationException(DaRPCKeys.CLUSTER_SIZE + " = " + clusterSize + ", "
                    + DaRPCKeys.RECV_QUEUE + " = " + greeting.depth() + " and " + DaRPCKeys.SEND_QUEUE + " = "
                    + sendQueue
                    + " make a completion queue of " + entries + " entries, at most " + Integer.MAX_VALUE
                    + " are allowed; lower one of them");
        }
    }

    private void requireSaneBuffers() throws ConfigurationException {
        long bytes = 2L * receiveBuffers() * greeting.payloadBytes();
        if (bytes > LARGEST_BUFFERS_BYTES) {
            throw new ConfigurationException(DaRPCKeys.RECV_QUEUE + " = " + greeting.depth() + " and "
                    + DaRPCKeys.MESSAGE_SIZE + " = " + greeting.payloadBytes() + " make " + bytes
                    + " bytes of buffers for each connection, at most " + LARGEST_BUFFERS_BYTES
                    + " are allowed; lower one of them");
        }
    }

    private static List<Long> masks(List<String> processors) {
        if (processors.isEmpty()) {
            return List.of(0L);
        }
        return processors.stream()
                .map(processor -> 1L << Integer.parseInt(processor))
                .toList();
    }

    /** Receives and sends of one connection that can complete at the same time. */
    int completionsPerConnection() {
        return receiveBuffers() + Math.max(receiveBuffers(), sendQueue + 1);
    }

    /** One for each call in flight, and one for a payload that is sent unasked. */
    int receiveBuffers() {
        return greeting.depth() + 1;
    }
}
