/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.HostPort;

/**
 * The keys that every part of a cluster shares: general, client, namenode and storage. Tiers and transports declare
 * their own. Constants only.
 */
public final class CrailKeys {
    private static final String CLUSTER = "Cluster";
    private static final String CLIENT = "Client";
    private static final String NAMENODE = "Namenode";
    private static final String STORAGE = "Storage";
    private static final String NO_EFFECT = "Has no effect; accepted because files written for Crail 1.x may hold it.";
    private static final String CLUSTER_WIDE = "Must be the same on all hosts of a cluster.";
    private static final long MAX_BLOCK_BYTES = 1L << 30;
    private static final int MAX_BUFFER_BYTES = 1 << 30;
    private static final int MIN_IO_BYTES = 16;

    /** The name of the cluster. */
    public static final ConfigKey<String> CLUSTER_ID = ConfigKey.string("crail.clusterid")
            .group(CLUSTER)
            .defaultText("crail")
            .mustBe("not empty", id -> !id.isEmpty())
            .text(
                    "Name of the cluster. Clients, datanodes and namenodes refuse to talk to those of another cluster.",
                    CLUSTER_WIDE)
            .build();

    /** Size of a block. */
    public static final ConfigKey<Long> BLOCK_SIZE = ConfigKey.bytes("crail.blocksize")
            .group(CLUSTER)
            .defaultText("1m")
            .between((long) MIN_IO_BYTES, MAX_BLOCK_BYTES)
            .text("Size of a block, the unit in which storage is given to nodes.", CLUSTER_WIDE)
            .build();

    /** Hardly any device has longer sectors; a multiple of the sectors keeps two values from sharing one. */
    static final int SMALL_BLOCK_UNIT = 4096;

    /** Size of the parts of shared blocks. */
    public static final ConfigKey<Long> SMALL_BLOCK_SIZE = ConfigKey.bytes("crail.smallblocksize")
            .group(CLUSTER)
            .defaultText("4k")
            .between(0L, MAX_BLOCK_BYTES)
            .text(
                    "Files and key-values of at most this size share blocks, one such part of a block each; longer ones",
                    "have blocks of their own. At most 4,095 share a block. A multiple of 4k, and of the sectors of nvmf",
                    "datanodes; 0, or more than half of crail.blocksize: no block is shared. Set it for the namenode.")
            .build();

    /** What a container's capacity counts for a child. */
    public static final ConfigKey<Integer> DIRECTORY_RECORD = ConfigKey.intBytes("crail.directoryrecord")
            .group(CLIENT)
            .defaultText("512")
            .atLeast(1)
            .text(
                    "Bytes that the capacity of a container counts for each enumerable child, as in Crail 1.x. A",
                    "container holds none.")
            .build();

    /** Delay of reclamation, and life of a write token. */
    public static final ConfigKey<Duration> TOKEN_EXPIRATION = ConfigKey.duration(
                    "crail.tokenexpiration", ChronoUnit.SECONDS)
            .group(CLUSTER)
            .defaultText("10s")
            .between(Duration.ofMillis(10), Duration.ofHours(24))
            .text(
                    "How long a write token lives unless it is renewed, and how long the blocks of a deleted or replaced",
                    "node wait before they are used again. Clients use the location of a block for half as long without",
                    "asking the namenode. A plain number counts seconds.",
                    CLUSTER_WIDE)
            .build();

    /** Former limit of the number of components of a path. */
    public static final ConfigKey<Integer> DIRECTORY_DEPTH = ConfigKey.integer("crail.directorydepth")
            .group(CLUSTER)
            .defaultText("16")
            .atLeast(1)
            .text("Former limit of the number of components of a path.", NO_EFFECT)
            .build();

    /** Limit of memory mapped for buffers. */
    public static final ConfigKey<Long> CACHE_LIMIT = ConfigKey.bytes("crail.cachelimit")
            .group(CLIENT)
            .defaultText("1g")
            .atLeast(0L)
            .text(
                    "Most memory that is mapped from files under crail.cachepath for buffers of the client. Further",
                    "buffers come from the direct memory of the JVM; with 0 all do.")
            .build();

    /** Where the memory for buffers is mapped from. */
    public static final ConfigKey<String> CACHE_PATH = ConfigKey.path("crail.cachepath")
            .group(CLIENT)
            .defaultText("")
            .text(
                    "Directory on hugetlbfs or tmpfs, e.g. /dev/hugepages/cache or /dev/shm/crail, from which the memory",
                    "for buffers of the client is mapped. When there is none, further buffers come from the direct memory",
                    "of the JVM. It is made if it is missing; its user alone may have the right to write to it. Empty:",
                    "all come from the direct memory, which needs no directory and no rights.")
            .build();

    /** Unit in which memory for buffers is mapped. */
    public static final ConfigKey<Long> REGION_SIZE = ConfigKey.bytes("crail.regionsize")
            .group(CLIENT)
            .defaultText("1g")
            .atLeast((long) MIN_IO_BYTES)
            .text(
                    "Most memory for buffers that is mapped under crail.cachepath at a time; at most 2g - 1 of it is used there,",
                    "and 16m outside of huge pages.",
                    "Also the default of the size of the regions that datanodes allocate.")
            .build();

    /** Size of a buffer. */
    public static final ConfigKey<Integer> BUFFER_SIZE = ConfigKey.intBytes("crail.buffersize")
            .group(CLIENT)
            .defaultText("1m")
            .between(MIN_IO_BYTES, MAX_BUFFER_BYTES)
            .text(
                    "Size of the buffers that CrailStore.allocateBuffer gives. Of crail.buffersize and crail.slicesize one",
                    "divides the other.")
            .build();

    /** Size of the transfers of buffered streams. */
    public static final ConfigKey<Integer> SLICE_SIZE = ConfigKey.intBytes("crail.slicesize")
            .group(CLIENT)
            .defaultText("512k")
            .between(MIN_IO_BYTES, MAX_BUFFER_BYTES)
            .text(
                    "Size of the transfers of buffered streams. A stream keeps at most as many in flight as fit two",
                    "buffers.")
            .build();

    /** Class of the buffer cache. */
    public static final ConfigKey<String> CACHE_IMPL = ConfigKey.className("crail.cacheimpl")
            .group(CLIENT)
            .defaultText("org.apache.crail.memory.MappedBufferCache")
            .text("Class that gives buffers to the client; extends org.apache.crail.memory.BufferCache.")
            .build();

    /** Whether newInstance gives one store. */
    public static final ConfigKey<Boolean> SINGLETON = ConfigKey.bool("crail.singleton")
            .group(CLIENT)
            .defaultText("true")
            .text("Whether CrailStore.newInstance gives one store, counted by reference, to all callers of a JVM.")
            .build();

    /** Limit of a metadata operation. */
    public static final ConfigKey<Duration> RPC_TIMEOUT = ConfigKey.duration("crail.rpctimeout", ChronoUnit.MILLIS)
            .group(CLIENT)
            .defaultText("10s")
            .between(Duration.ofMillis(1), Duration.ofMinutes(10))
            .text(
                    "Longest time that an operation on metadata may take; plus crail.tokenexpiration if it waits for blocks "
                            + "that are reclaimed. A plain number counts milliseconds.")
            .build();

    /** Limit of a transfer. */
    public static final ConfigKey<Duration> DATA_TIMEOUT = ConfigKey.duration("crail.datatimeout", ChronoUnit.MILLIS)
            .group(CLIENT)
            .defaultText("30s")
            .between(Duration.ofMillis(1), Duration.ofHours(24))
            .text("Longest time that an operation on data may take. A plain number counts milliseconds.")
            .build();

    /** Limit of connecting. */
    public static final ConfigKey<Duration> CONNECT_TIMEOUT = ConfigKey.duration(
                    "crail.connecttimeout", ChronoUnit.MILLIS)
            .group(CLIENT)
            .defaultText("5s")
            .between(Duration.ofMillis(1), Duration.ofHours(1))
            .text(
                    "Longest time that connecting to a namenode or a datanode may take. A plain number counts",
                    "milliseconds.")
            .build();

    /** Whether names come in random order. */
    public static final ConfigKey<Boolean> DIRECTORY_RANDOMIZE = ConfigKey.bool("crail.directoryrandomize")
            .group(CLIENT)
            .defaultText("true")
            .text(
                    "Whether the names in a container are listed in random order, so that clients that read a whole",
                    "container at once do not all begin at the same datanode.")
            .build();

    /** Name of the owner. */
    public static final ConfigKey<String> USER = ConfigKey.string("crail.user")
            .group(CLIENT)
            .defaultText("crail")
            .text(
                    "Owner and group of the root, and so of nodes that are created without an owner of their own; read by the",
                    "namenode.")
            .build();

    /** Number of hosts per block location. */
    public static final ConfigKey<Integer> SHADOW_REPLICATION = ConfigKey.integer("crail.shadowreplication")
            .group(CLIENT)
            .defaultText("1")
            .between(1, 1024)
            .text(
                    "Number of hosts that a block location names. Blocks have one copy; the further hosts hold other",
                    "blocks of the range and only widen the choice of schedulers.")
            .build();

    /** How threads wait. */
    public static final ConfigKey<String> IDLE_STRATEGY = ConfigKey.choice(
                    "crail.idlestrategy", "backoff", "busyspin", "yielding", "sleeping")
            .group(CLIENT)
            .defaultText("backoff")
            .text(
                    "How threads of clients and servers wait for messages. backoff: spin for a moment, yield for some",
                    "50 microseconds, then park, and park earlier beside busy programs. busyspin: spin for ever, for a",
                    "processor of its own for each thread. yielding: yield for ever. sleeping: park at once, which takes",
                    "the least processor time.")
            .build();

    /** Renaming of hosts. */
    public static final ConfigKey<String> LOCATION_MAP = ConfigKey.string("crail.locationmap")
            .group(CLIENT)
            .defaultText("")
            .mustBe("pairs like host1/name1,host2/name2", CrailKeys::isLocationMap)
            .text(
                    "Pairs host/name, separated by commas: block locations name each host by the other name, e.g. the",
                    "one that a scheduler knows it by.")
            .build();

    /** Whether the client counts. */
    public static final ConfigKey<Boolean> STATISTICS = ConfigKey.bool("crail.statistics")
            .group(CLIENT)
            .defaultText("true")
            .text("Whether streams count local and remote operations.")
            .build();

    /** Whether the client checks buffers. */
    public static final ConfigKey<Boolean> DEBUG = ConfigKey.bool("crail.debug")
            .group(CLIENT)
            .defaultText("false")
            .text(
                    "Whether the client refuses to use one buffer in two operations at once, and the command line shows",
                    "the stacks of failures.")
            .build();

    /** Where the namenodes are. */
    public static final ConfigKey<List<URI>> NAMENODE_ADDRESS = ConfigKey.uris("crail.namenode.address")
            .group(NAMENODE)
            .defaultText("crail://localhost:9060")
            .mustBe("at least one, each like crail://host:9060", CrailKeys::areAddresses)
            .text(
                    "Address that clients and datanodes connect to, e.g. crail://host:9060 or crail://[::1]:9060. One; a",
                    "list of several, separated by commas as in Crail 1.x, is refused by this release.",
                    CLUSTER_WIDE)
            .build();

    /** What the namenode binds. */
    public static final ConfigKey<String> NAMENODE_BIND = ConfigKey.string("crail.namenode.bind")
            .group(NAMENODE)
            .defaultText("")
            .text(
                    "Host name or address that the namenode listens on; 0.0.0.0 or :: for all interfaces. Empty: the",
                    "host of its entry in crail.namenode.address.")
            .build();

    /** How blocks are chosen. */
    public static final ConfigKey<String> NAMENODE_BLOCKSELECTION = ConfigKey.choice(
                    "crail.namenode.blockselection", "roundrobin", "random", "sequential")
            .group(NAMENODE)
            .defaultText("roundrobin")
            .text(
                    "Which datanode of a storage class gives the next block: one after the other, one at random, or the",
                    "first that has a free one.")
            .build();

    /** How full the namenode's heap may be when it still creates. */
    public static final ConfigKey<Integer> NAMENODE_HEAP_LIMIT = ConfigKey.integer("crail.namenode.heaplimit")
            .group(NAMENODE)
            .defaultText("80")
            .between(10, 100)
            .text(
                    "How full the namenode's heap of long-lived objects may be, in percent. Above it, creations fail with",
                    "OUT_OF_MEMORY; reads, closes and deletes go on. 100: never.")
            .build();

    /** Where nodes are removed when the store is full. */
    public static final ConfigKey<List<String>> NAMENODE_EVICT = ConfigKey.list("crail.namenode.evict")
            .group(NAMENODE)
            .defaultText("")
            .mustBe("each the path of a directory or table right below the root, e.g. /cache", CrailKeys::areTopLevel)
            .text(
                    "Top-level directories and tables, e.g. /cache,/scratch, whose files and key-values are removed when",
                    "the store is nearly full: those that were closed longest ago, and none that is being written. Empty:",
                    "nothing is removed.")
            .build();

    /** Initial blocks of a file. */
    public static final ConfigKey<Integer> NAMENODE_FILEBLOCKS = ConfigKey.integer("crail.namenode.fileblocks")
            .group(NAMENODE)
            .defaultText("16")
            .atLeast(1)
            .text("Former initial size of the table of blocks of a file.", NO_EFFECT)
            .build();

    /** Class of the metadata transport. */
    public static final ConfigKey<String> NAMENODE_RPC_TYPE = ConfigKey.className("crail.namenode.rpctype")
            .group(NAMENODE)
            .defaultText("org.apache.crail.namenode.rpc.tcp.TcpNameNode")
            .text(
                    "Class of the transport of metadata, of clients, datanodes and namenodes: the default for TCP,",
                    "org.apache.crail.namenode.rpc.darpc.DaRPCNameNode for RDMA.",
                    CLUSTER_WIDE)
            .build();

    /** Class of the namenode's service. */
    public static final ConfigKey<String> NAMENODE_RPC_SERVICE = ConfigKey.className("crail.namenode.rpcservice")
            .group(NAMENODE)
            .defaultText("org.apache.crail.namenode.NameNodeService")
            .text("Class of the namenode's service.")
            .build();

    /** Most memory for what clients may ask again. */
    public static final ConfigKey<Long> NAMENODE_REPLY_MEMORY = ConfigKey.bytes("crail.namenode.replymemory")
            .group(NAMENODE)
            .defaultText("128m")
            .atLeast(1L << 20)
            .text(
                    "Most memory for the answers that clients may ask for again, and for the sessions of clients that were",
                    "here within 11 minutes. One client gets a tenth of it at most. When it runs short, sessions without",
                    "connection are forgotten, those first that are so for longest; then changes are refused.")
            .build();

    /** Path of the metadata log. */
    public static final ConfigKey<String> NAMENODE_LOG = ConfigKey.path("crail.namenode.log")
            .group(NAMENODE)
            .defaultText("")
            .text(
                    "Path of the metadata log. This release keeps none, and its namenode does not start unless this is",
                    "empty: metadata does not survive a restart of the namenode.")
            .build();

    /** Datanodes that may be known. */
    public static final ConfigKey<Integer> NAMENODE_DATANODES = ConfigKey.integer("crail.namenode.datanodes")
            .group(NAMENODE)
            .defaultText("4096")
            .between(1, 1_000_000)
            .text("How many datanodes may be known at a time, silent ones included.")
            .build();

    /** When silent datanodes are given up. */
    public static final ConfigKey<Duration> NAMENODE_FORGET = ConfigKey.duration(
                    "crail.namenode.forgetdatanodes", ChronoUnit.SECONDS)
            .group(NAMENODE)
            .defaultText("168h")
            .between(Duration.ofSeconds(1), Duration.ofDays(3650))
            .text(
                    "After how long a datanode that is not heard is forgotten, with all that it holds; crail forget does",
                    "so at once.")
            .build();

    /** Regions of all datanodes. */
    public static final ConfigKey<Integer> NAMENODE_REGIONS = ConfigKey.integer("crail.namenode.regions")
            .group(NAMENODE)
            .defaultText("262144")
            .atLeast(1)
            .text("How many regions all datanodes together may offer.")
            .build();

    /** Regions of one datanode. */
    public static final ConfigKey<Integer> NAMENODE_DATANODE_REGIONS = ConfigKey.integer(
                    "crail.namenode.datanoderegions")
            .group(NAMENODE)
            .defaultText("16384")
            .atLeast(1)
            .text("How many regions one datanode may offer.")
            .build();

    /** Blocks of all datanodes. */
    public static final ConfigKey<Integer> NAMENODE_BLOCKS = ConfigKey.integer("crail.namenode.blocks")
            .group(NAMENODE)
            .defaultText("0")
            .atLeast(0)
            .text(
                    "How many blocks all datanodes together may offer. 0: one for each 32 bytes of the largest heap, a",
                    "quarter of which the books of so many blocks take.")
            .build();

    /** Blocks of one datanode. */
    public static final ConfigKey<Integer> NAMENODE_DATANODE_BLOCKS = ConfigKey.integer("crail.namenode.datanodeblocks")
            .group(NAMENODE)
            .defaultText("0")
            .atLeast(0)
            .text("How many blocks one datanode may offer, 268,435,456 at most. 0: as many as all together.")
            .build();

    /** The tiers. */
    public static final ConfigKey<List<String>> STORAGE_TYPES = ConfigKey.classNames("crail.storage.types")
            .group(STORAGE)
            .defaultText("org.apache.crail.storage.tcp.TcpStorageTier")
            .mustBe("at least one", types -> !types.isEmpty())
            .text(
                    "Classes of the storage tiers, separated by commas. A tier's place in the list is its storage type,",
                    "and the storage class of datanodes that are not given another.",
                    CLUSTER_WIDE)
            .build();

    /** Number of storage classes; see {@link #storageClasses}. */
    public static final ConfigKey<Integer> STORAGE_CLASSES = ConfigKey.integer("crail.storage.classes")
            .group(STORAGE)
            .defaultText("1")
            .between(1, 1024)
            .text(
                    "Number of storage classes, preferred ones first; raised to the number of crail.storage.types if it",
                    "is smaller.",
                    CLUSTER_WIDE)
            .build();

    /** Storage class of the root. */
    public static final ConfigKey<Integer> STORAGE_ROOTCLASS = ConfigKey.integer("crail.storage.rootclass")
            .group(STORAGE)
            .defaultText("0")
            .between(0, 1023)
            .text("Storage class of the root, which nodes below it inherit; smaller than crail.storage.classes.")
            .build();

    /** Period of heartbeats. */
    public static final ConfigKey<Duration> STORAGE_KEEPALIVE = ConfigKey.duration(
                    "crail.storage.keepalive", ChronoUnit.SECONDS)
            .group(STORAGE)
            .defaultText("2s")
            .between(Duration.ofMillis(10), Duration.ofHours(1))
            .text(
                    "Period of the heartbeats of datanodes. One that was silent for eight periods gets no new blocks",
                    "until it is heard again. A plain number counts seconds.",
                    CLUSTER_WIDE)
            .build();

    /** How long a datanode that starts waits for its namenode. */
    public static final ConfigKey<Duration> DATANODE_CONNECT_LIMIT = ConfigKey.duration(
                    "crail.datanode.connectlimit", ChronoUnit.SECONDS)
            .group(STORAGE)
            .defaultText("60s")
            .between(Duration.ZERO, Duration.ofDays(1))
            .text(
                    "How long a datanode that starts tries to reach a namenode before it ends with an error, and at least",
                    "crail.connecttimeout. A plain number counts seconds.")
            .build();

    /** What a datanode advertises. */
    public static final ConfigKey<String> DATANODE_HOST = ConfigKey.string("crail.datanode.host")
            .group(STORAGE)
            .defaultText("")
            .text(
                    "Host name or address under which clients reach this datanode. Empty: the address that it binds, if",
                    "that is one, else the address from which this host reaches the namenode.")
            .build();

    /** What a datanode binds. */
    public static final ConfigKey<String> DATANODE_BIND = ConfigKey.string("crail.datanode.bind")
            .group(STORAGE)
            .defaultText("")
            .text(
                    "Host name or address that this datanode listens on; 0.0.0.0 or :: for all interfaces. Empty: what",
                    "it advertises, see crail.datanode.host.")
            .build();

    private CrailKeys() {}

    /** The size of the parts of shared blocks, 0 if none are shared. */
    public static long smallBlockBytes(CrailConfiguration conf) throws ConfigurationException {
        long bytes = conf.get(SMALL_BLOCK_SIZE);
        return 2 * bytes > conf.get(BLOCK_SIZE) ? 0 : bytes;
    }

    /** The number of storage classes of a cluster: crail.storage.classes, but at least one for each tier. */
    public static int storageClasses(CrailConfiguration conf) throws ConfigurationException {
        return Math.max(conf.get(STORAGE_CLASSES), conf.get(STORAGE_TYPES).size());
    }

    private static boolean areAddresses(List<URI> addresses) {
        return !addresses.isEmpty() && addresses.stream().allMatch(CrailKeys::isAddress);
    }

    private static boolean isAddress(URI address) {
        return "crail".equalsIgnoreCase(address.getScheme()) && HostPort.of(address) != null;
    }

    private static boolean areTopLevel(List<String> paths) {
        return paths.stream().allMatch(path -> path.matches("/[^/]{1,255}") && !path.matches("/\\.{1,2}"));
    }

    private static boolean isLocationMap(String map) {
        for (String pair : map.split(",", -1)) {
            if (!pair.isBlank() && !pair.strip().matches("[^/]+/[^/]+")) {
                return false;
            }
        }
        return true;
    }
}
