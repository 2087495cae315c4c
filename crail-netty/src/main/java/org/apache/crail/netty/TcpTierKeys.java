/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailKeys;

/**
 * The keys of both planes over sockets: {@code crail.namenode.tcp.*} and {@code crail.storage.tcp.*}. Constants only.
 */
public final class TcpTierKeys {
    private static final String SOCKETS = "Sockets on one host";
    private static final String TRANSPORT = "Metadata over TCP";
    private static final String TIER = "Storage tier tcp";
    private static final int MAX_THREADS = 1024;

    /** Whether TCP is avoided on one host. */
    public static final ConfigKey<Boolean> UNIX_SOCKETS = ConfigKey.bool("crail.unixsockets")
            .group(SOCKETS)
            .defaultText("true")
            .text(
                    "Whether a client uses a Unix domain socket to a server on the same host, where it can reach it; TCP",
                    "is used everywhere else. For metadata over TCP and the tcp tier. Has to be true for both.")
            .build();

    /** Where the sockets are. */
    public static final ConfigKey<String> UNIX_SOCKET_PATH = ConfigKey.path("crail.unixsocketpath")
            .group(SOCKETS)
            .defaultText("")
            .text(
                    "Directory in which servers make their Unix domain sockets; only their user may have the right to",
                    "write to it, and it has at most 76 bytes. Empty: crail-sockets- and the number of the user, in",
                    "the directory for temporary files.")
            .build();

    /** Threads of the namenode. */
    public static final ConfigKey<Integer> NAMENODE_CORES = ConfigKey.integer("crail.namenode.tcp.cores")
            .group(TRANSPORT)
            .defaultText("0")
            .between(0, MAX_THREADS)
            .text(
                    "Threads with which a namenode serves its connections. Operations are executed on them. 0: half of",
                    "the processors, from 1 to 8.")
            .build();

    /** Whether messages go through memory on one host. */
    public static final ConfigKey<Boolean> NAMENODE_MAPPED = ConfigKey.bool("crail.namenode.tcp.mapped")
            .group(TRANSPORT)
            .defaultText("true")
            .text(
                    "Whether messages between a namenode and a client that are connected by a Unix domain socket go through",
                    "memory that both map, if they run as the same user. Has to be true for both.")
            .build();

    /** Former number of send buffers. */
    public static final ConfigKey<Integer> NAMENODE_QUEUE_DEPTH = ConfigKey.integer("crail.namenode.tcp.queueDepth")
            .group(TRANSPORT)
            .defaultText("32")
            .atLeast(1)
            .text(
                    "Former number of send buffers of a client. Has no effect; accepted because files written for Crail",
                    "1.x may hold it.")
            .build();

    /** Former limit of a message. */
    public static final ConfigKey<Integer> NAMENODE_MESSAGE_SIZE = ConfigKey.intBytes("crail.namenode.tcp.messageSize")
            .group(TRANSPORT)
            .defaultText("512")
            .atLeast(1)
            .text(
                    "Former limit of a message. Has no effect, messages have the size they need, at most 64k; accepted",
                    "because files written for Crail 1.x may hold it.")
            .build();

    /** The network interface. */
    public static final ConfigKey<String> STORAGE_INTERFACE = ConfigKey.string("crail.storage.tcp.interface")
            .group(TIER)
            .defaultText("")
            .text(
                    "Name of a network interface, e.g. eth0 or lo, whose address the datanode listens on and advertises.",
                    "Empty: see crail.datanode.bind and crail.datanode.host. Option -i of the datanode.")
            .build();

    /** The port. */
    public static final ConfigKey<Integer> STORAGE_PORT = ConfigKey.port("crail.storage.tcp.port")
            .group(TIER)
            .defaultText("50020")
            .text("Port that a datanode listens on; 0 for any free port. Option -p of the datanode.")
            .build();

    /** How much is offered. */
    public static final ConfigKey<Long> STORAGE_LIMIT = ConfigKey.bytes("crail.storage.tcp.storagelimit")
            .group(TIER)
            .defaultText("1g")
            .atLeast(1L)
            .text(
                    "How much a datanode offers; rounded down to a multiple of crail.blocksize. Option -l of the",
                    "datanode.")
            .build();

    /** Size of a region. */
    public static final ConfigKey<Long> STORAGE_ALLOCATION_SIZE = ConfigKey.bytes("crail.storage.tcp.allocationsize")
            .group(TIER)
            .defaultFrom(CrailKeys.REGION_SIZE)
            .atLeast(1L)
            .text(
                    "Size of the files, one for each region, that a datanode allocates until it has what it offers;",
                    "rounded down to a multiple of crail.blocksize.")
            .build();

    /** Where the regions are. */
    public static final ConfigKey<String> STORAGE_DATA_PATH = ConfigKey.path("crail.storage.tcp.datapath")
            .group(TIER)
            .defaultText("")
            .text(
                    "Directory on tmpfs, hugetlbfs or a disk in which a datanode keeps its regions, in a directory of its",
                    "own that is removed when it stops. The datanode's user alone may have the right to write to it.",
                    "Empty: /dev/shm/crail- and the number of the user, or the",
                    "directory for temporary files where there is no /dev/shm. Option -d of the datanode.")
            .build();

    /** Threads of the datanode. */
    public static final ConfigKey<Integer> STORAGE_CORES = ConfigKey.integer("crail.storage.tcp.cores")
            .group(TIER)
            .defaultText("0")
            .between(0, MAX_THREADS)
            .text(
                    "Threads with which a datanode serves its connections. 0: half of the processors, from 1 to 8.",
                    "Option -c of the datanode.")
            .build();

    /** Threads of the client. */
    public static final ConfigKey<Integer> STORAGE_CLIENT_CORES = ConfigKey.integer("crail.storage.tcp.clientcores")
            .group(TIER)
            .defaultText("0")
            .between(0, MAX_THREADS)
            .text(
                    "Threads with which a client serves its connections to datanodes. 0: those of its connection to the",
                    "namenode if that is over sockets, too, else as many of their own: half of the processors, from 1 to",
                    "8.")
            .build();

    /** Whether sockets are avoided on one host. */
    public static final ConfigKey<Boolean> STORAGE_MAPPED = ConfigKey.bool("crail.storage.tcp.mapped")
            .group(TIER)
            .defaultText("true")
            .text(
                    "Whether a client copies bytes between its buffers and the memory of a datanode on the same host",
                    "itself, where it sees the datanode's files and may write to them. Sockets are used everywhere else.",
                    "Has to be true for both.")
            .build();

    /** Former number of staging buffers. */
    public static final ConfigKey<Integer> STORAGE_QUEUE_DEPTH = ConfigKey.integer("crail.storage.tcp.queuedepth")
            .group(TIER)
            .defaultText("16")
            .atLeast(1)
            .text(
                    "Former number of staging buffers of a client. Has no effect, any number of transfers can be in",
                    "flight; accepted because files written for Crail 1.x may hold it.")
            .build();

    private TcpTierKeys() {}
}
