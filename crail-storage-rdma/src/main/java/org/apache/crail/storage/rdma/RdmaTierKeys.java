/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailKeys;

/** The keys of the rdma tier: {@code crail.storage.rdma.*}. Constants only. */
public final class RdmaTierKeys {
    private static final String TIER = "Storage tier rdma";
    private static final int MOST_WORK_REQUESTS = 16_384;

    /** The network interface. */
    public static final ConfigKey<String> STORAGE_INTERFACE = ConfigKey.string("crail.storage.rdma.interface")
            .group(TIER)
            .defaultText("")
            .text(
                    "Name of the network interface of an RDMA device, e.g. eth0, whose IPv4 address the datanode listens on",
                    "and advertises. Empty: see crail.datanode.bind and crail.datanode.host. Option -i of the datanode.")
            .build();

    /** The port. */
    public static final ConfigKey<Integer> STORAGE_PORT = ConfigKey.port("crail.storage.rdma.port")
            .group(TIER)
            .defaultText("50020")
            .text("Port that a datanode listens on; 0 for any free port. Option -p of the datanode.")
            .build();

    /** How much is offered. */
    public static final ConfigKey<Long> STORAGE_LIMIT = ConfigKey.bytes("crail.storage.rdma.storagelimit")
            .group(TIER)
            .defaultText("1g")
            .atLeast(1L)
            .text(
                    "How much a datanode offers, and locks in memory; rounded down to a multiple of crail.blocksize. Option",
                    "-l of the datanode.")
            .build();

    /** Size of a region. */
    public static final ConfigKey<Long> STORAGE_ALLOCATION_SIZE = ConfigKey.bytes("crail.storage.rdma.allocationsize")
            .group(TIER)
            .defaultFrom(CrailKeys.REGION_SIZE)
            .atLeast(1L)
            .text(
                    "Size of the files that a datanode allocates until it has what it offers; rounded down to a multiple of",
                    "crail.blocksize, and at most 1 GiB. Each is registered with the device.")
            .build();

    /** Where the regions are. */
    public static final ConfigKey<String> STORAGE_DATA_PATH = ConfigKey.path("crail.storage.rdma.datapath")
            .group(TIER)
            .defaultText("")
            .text(
                    "Directory on tmpfs or hugetlbfs in which a datanode keeps its regions, in a directory of its own that",
                    "is removed when it stops. The datanode's user alone may have the right to write to it.",
                    "Empty: /dev/shm/crail- and the number of the user. Option -d of the datanode.")
            .build();

    /** Whether memory of the same host is mapped. */
    public static final ConfigKey<Boolean> STORAGE_LOCAL_MAP = ConfigKey.bool("crail.storage.rdma.localmap")
            .group(TIER)
            .defaultText("true")
            .text(
                    "Whether a client copies blocks of a datanode on its own host to and from the mapped files of their regions",
                    "itself instead of using the device. Files must be on tmpfs, and both must be of one user and name the",
                    "same crail.storage.rdma.datapath. Both sides must have it switched on.")
            .build();

    /** Depth of the send queue. */
    public static final ConfigKey<Integer> STORAGE_QUEUE_SIZE = ConfigKey.integer("crail.storage.rdma.queuesize")
            .group(TIER)
            .defaultText("32")
            .between(2, MOST_WORK_REQUESTS)
            .text(
                    "Work requests that a client may have in flight to one datanode. A read takes one, a write two. Further",
                    "requests wait in order. Must be within what the device offers (max_qp_wr of ibv_devinfo -v).")
            .build();

    /** How completions are waited for. */
    public static final ConfigKey<String> STORAGE_TYPE = ConfigKey.choice(
                    "crail.storage.rdma.type", "passive", "active")
            .group(TIER)
            .defaultText("passive")
            .text(
                    "How a client waits for the end of transfers. passive: it polls for up to 50 us and then waits for an",
                    "event of the device; quickest. active: it waits for events only; takes less processor time.")
            .build();

    /** Whether blocks outlive the datanode's process. */
    public static final ConfigKey<Boolean> STORAGE_PERSISTENT = ConfigKey.bool("crail.storage.rdma.persistent")
            .group(TIER)
            .defaultText("false")
            .text(
                    "Whether a datanode leaves its regions in place when it stops, and the next one at the same address and",
                    "port takes them over with their blocks. Option -s of the datanode.")
            .build();

    /** Connections that wait to be accepted. */
    public static final ConfigKey<Integer> STORAGE_BACKLOG = ConfigKey.integer("crail.storage.rdma.backlog")
            .group(TIER)
            .defaultText("100")
            .atLeast(1)
            .text("How many clients may wait at a datanode for their connection to be accepted.")
            .build();

    /** Limit of connecting. */
    public static final ConfigKey<Duration> STORAGE_CONNECT_TIMEOUT = ConfigKey.duration(
                    "crail.storage.rdma.connecttimeout", ChronoUnit.MILLIS)
            .group(TIER)
            .defaultFrom(CrailKeys.CONNECT_TIMEOUT)
            .between(Duration.ofMillis(1), Duration.ofHours(1))
            .text("Longest time that connecting to a datanode may take. A plain number counts milliseconds.")
            .build();

    private RdmaTierKeys() {}
}
