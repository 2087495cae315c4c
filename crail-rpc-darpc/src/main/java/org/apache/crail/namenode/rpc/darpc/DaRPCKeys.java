/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.crail.conf.ConfigKey;

/** The keys of metadata over DaRPC: {@code crail.namenode.darpc.*}. Constants only. */
public final class DaRPCKeys {
    private static final String GROUP = "Metadata over DaRPC";
    private static final int MAX_CPUS = 62;

    /** Whether to poll hard. */
    public static final ConfigKey<Boolean> POLLING = ConfigKey.bool("crail.namenode.darpc.polling")
            .group(GROUP)
            .defaultText("false")
            .text(
                    "Whether threads go on polling for up to 10 ms after the last completion, instead of some",
                    "microseconds, before they wait for an event. Costs processors; has no effect where there are fewer",
                    "than four. Both ends.")
            .build();

    /** Former kind of endpoint. */
    public static final ConfigKey<String> TYPE = ConfigKey.choice("crail.namenode.darpc.type", "passive", "active")
            .group(GROUP)
            .defaultText("passive")
            .text("Former kind of endpoint. Has no effect; accepted because files written for Crail 1.x may hold it.")
            .build();

    /** The clusters and their processors. */
    public static final ConfigKey<List<String>> AFFINITY = ConfigKey.list("crail.namenode.darpc.affinity")
            .group(GROUP)
            .defaultText("")
            .mustBe("numbers of processors from 0 to " + MAX_CPUS, DaRPCKeys::areProcessors)
            .text(
                    "The namenode serves its connections with one thread, a cluster, for each entry; the entry is the",
                    "number of the processor that the thread is bound to. Empty: one thread, not bound.")
            .build();

    /** Inlined sends. */
    public static final ConfigKey<Integer> MAX_INLINE = ConfigKey.intBytes("crail.namenode.darpc.maxinline")
            .group(GROUP)
            .defaultText("0")
            .between(0, 1024)
            .text("Payloads of at most this length are handed to the device inside of the work request; both ends.")
            .build();

    /** Calls in flight. */
    public static final ConfigKey<Integer> RECV_QUEUE = ConfigKey.integer("crail.namenode.darpc.recvQueue")
            .group(GROUP)
            .defaultText("32")
            .between(1, Greeting.LARGEST_DEPTH)
            .text(
                    "Calls that may be in flight on a connection; the lower value of both ends counts. Each end has as",
                    "many receive and send buffers, and one more.")
            .build();

    /** Work requests for sends. */
    public static final ConfigKey<Integer> SEND_QUEUE = ConfigKey.integer("crail.namenode.darpc.sendQueue")
            .group(GROUP)
            .defaultText("32")
            .between(1, Greeting.LARGEST_DEPTH)
            .text("Room for sends in the queue of the device; at least recvQueue is used. Both ends.")
            .build();

    /** Completions of one poll. */
    public static final ConfigKey<Integer> POLL_SIZE = ConfigKey.integer("crail.namenode.darpc.pollsize")
            .group(GROUP)
            .defaultText("32")
            .between(1, Greeting.LARGEST_DEPTH)
            .text("Completions that are taken from the device at once; both ends.")
            .build();

    /** Connections of a cluster. */
    public static final ConfigKey<Integer> CLUSTER_SIZE = ConfigKey.integer("crail.namenode.darpc.clustersize")
            .group(GROUP)
            .defaultText("128")
            .between(1, 64 * 1024)
            .text(
                    "Connections that a cluster serves at most; the namenode refuses more. A completion queue of",
                    "clustersize times (recvQueue + sendQueue + 2) entries is made for each cluster.")
            .build();

    /** Connects that wait. */
    public static final ConfigKey<Integer> BACKLOG = ConfigKey.integer("crail.namenode.darpc.backlog")
            .group(GROUP)
            .defaultText("100")
            .atLeast(1)
            .text("Connects that may wait for the namenode to accept them.")
            .build();

    /** The limit of finding a route. */
    public static final ConfigKey<Duration> CONNECT_TIMEOUT = ConfigKey.duration(
                    "crail.namenode.darpc.connecttimeout", ChronoUnit.MILLIS)
            .group(GROUP)
            .defaultText("1000")
            .between(Duration.ofMillis(1), Duration.ofHours(1))
            .text(
                    "Limit for finding the device that leads to the namenode's address, and again for the route. The",
                    "limit of the whole connect is crail.connecttimeout, of which the namenode has at most 10 s for its",
                    "answer, or this value if it is more.")
            .build();

    /** Length of a payload. */
    public static final ConfigKey<Integer> MESSAGE_SIZE = ConfigKey.intBytes("crail.namenode.darpc.messagesize")
            .group(GROUP)
            .defaultText("4k")
            .between(Payload.SMALLEST_BYTES, Greeting.LARGEST_PAYLOAD_BYTES)
            .text(
                    "Length of the send and receive buffers; the lower value of both ends counts. Longer messages go in",
                    "several calls.")
            .build();

    private DaRPCKeys() {}

    private static boolean areProcessors(List<String> entries) {
        return entries.stream().allMatch(entry -> entry.matches("[0-9]{1,2}") && Integer.parseInt(entry) <= MAX_CPUS);
    }
}
