/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailKeys;

/** The keys of the nvmf tier: {@code crail.storage.nvmf.*}. Constants only. */
public final class NvmfTierKeys {
    private static final String TIER = "Storage tier nvmf";
    private static final int MOST_COMMANDS = 1024;
    private static final int MOST_STAGED = 1 << 16;

    /** The target's host. */
    public static final ConfigKey<String> STORAGE_IP = ConfigKey.string("crail.storage.nvmf.ip")
            .group(TIER)
            .defaultText("")
            .text(
                    "Host name or IPv4 address of the target whose namespace a datanode offers; clients connect to it, too.",
                    "Empty: localhost, for a target on the datanode's own host that only clients there reach. Option -a",
                    "of the datanode.")
            .build();

    /** The target's port. */
    public static final ConfigKey<Integer> STORAGE_PORT = ConfigKey.port("crail.storage.nvmf.port")
            .group(TIER)
            .defaultText("50025")
            .text("Port of the target; 4420 is usual. Option -p of the datanode.")
            .build();

    /** The subsystem. */
    public static final ConfigKey<String> STORAGE_NQN = ConfigKey.string("crail.storage.nvmf.nqn")
            .group(TIER)
            .defaultText("nqn.2017-06.io.crail:cnode")
            .text("Qualified name of the target's subsystem. Option -nqn of the datanode.")
            .build();

    /** Who connects. */
    public static final ConfigKey<String> STORAGE_HOST_NQN = ConfigKey.string("crail.storage.nvmf.hostnqn")
            .group(TIER)
            .defaultText("")
            .text(
                    "Qualified name under which the datanode and its clients connect, for targets that admit some hosts",
                    "only. Empty: a random one for each connection. Option -hostnqn of the datanode.")
            .build();

    /** The namespace. */
    public static final ConfigKey<Integer> STORAGE_NAMESPACE = ConfigKey.integer("crail.storage.nvmf.namespace")
            .group(TIER)
            .defaultText("1")
            .atLeast(1)
            .text("Number of the namespace in the subsystem. Option -n of the datanode.")
            .build();

    /** Where the datanode's range begins. */
    public static final ConfigKey<Long> STORAGE_OFFSET = ConfigKey.bytes("crail.storage.nvmf.offset")
            .group(TIER)
            .defaultText("0")
            .atLeast(0L)
            .text(
                    "Where in the namespace the range begins that a datanode offers; a multiple of the namespace's sectors.",
                    "Datanodes that share a namespace need ranges that do not overlap. Option -o of the datanode.")
            .build();

    /** How much is offered. */
    public static final ConfigKey<Long> STORAGE_LIMIT = ConfigKey.bytes("crail.storage.nvmf.storagelimit")
            .group(TIER)
            .defaultText("0")
            .atLeast(0L)
            .text(
                    "Length of that range; rounded down to a multiple of crail.blocksize. 0: to the end of the namespace.",
                    "Option -l of the datanode.")
            .build();

    /** Size of a region. */
    public static final ConfigKey<Long> STORAGE_ALLOCATION_SIZE = ConfigKey.bytes("crail.storage.nvmf.allocationsize")
            .group(TIER)
            .defaultFrom(CrailKeys.REGION_SIZE)
            .atLeast(1L)
            .text(
                    "Size of the regions that a datanode registers one by one; rounded down to a multiple of",
                    "crail.blocksize.")
            .build();

    /** Depth of the submission queue. */
    public static final ConfigKey<Integer> STORAGE_QUEUE_SIZE = ConfigKey.integer("crail.storage.nvmf.queueSize")
            .group(TIER)
            .defaultText("64")
            .between(2, MOST_COMMANDS)
            .text(
                    "Entries of a client's queue at one target, one more than there may be commands in flight. Further",
                    "commands wait in order. Must be within what the target offers.")
            .build();

    /** Sectors being merged. */
    public static final ConfigKey<Integer> STORAGE_STAGING_SIZE = ConfigKey.integer(
                    "crail.storage.nvmf.stagingcachesize")
            .group(TIER)
            .defaultText("1024")
            .between(1, MOST_STAGED)
            .text(
                    "Sectors that a client may have staged at once for one target: those of which only a part is being read",
                    "or written. Further ones wait in order.")
            .build();

    /** How often targets are told that somebody is there. */
    public static final ConfigKey<Duration> STORAGE_KEEPALIVE = ConfigKey.duration(
                    "crail.storage.nvmf.keepalive", ChronoUnit.MILLIS)
            .group(TIER)
            .defaultText("5s")
            .between(Duration.ofMillis(10), Duration.ofMinutes(1))
            .text(
                    "How often datanodes and clients send a keep-alive to their targets. A datanode counts as lost, until its",
                    "target answers again, when a keep-alive fails, or when none has been answered for twice this time and",
                    "crail.storage.nvmf.connecttimeout. A plain number counts milliseconds.")
            .build();

    /** Limit of connecting. */
    public static final ConfigKey<Duration> STORAGE_CONNECT_TIMEOUT = ConfigKey.duration(
                    "crail.storage.nvmf.connecttimeout", ChronoUnit.MILLIS)
            .group(TIER)
            .defaultFrom(CrailKeys.CONNECT_TIMEOUT)
            .between(Duration.ofMillis(1), Duration.ofHours(1))
            .text("Longest time that connecting to a target may take. A plain number counts milliseconds.")
            .build();

    private NvmfTierKeys() {}
}
