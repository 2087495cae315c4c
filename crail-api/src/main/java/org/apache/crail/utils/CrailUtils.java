/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.BufferAddress;
import org.apache.crail.internal.HostPort;
import org.apache.crail.metadata.DataNodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Helpers of programs written for Crail 1.x. Those that have no parameter for what they need take it from
 * {@link CrailConstants}, that is, from the store that was opened last. All methods are thread safe.
 */
public class CrailUtils {
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Logger LOG = LoggerFactory.getLogger("org.apache.crail");

    /** For programs that made one; all methods are static. */
    public CrailUtils() {}

    /** The logger {@code org.apache.crail}. */
    public static Logger getLogger() {
        return LOG;
    }

    /** The memory address of byte 0 of a direct buffer; see {@link org.apache.crail.CrailBuffer#address()}. */
    public static long getAddress(ByteBuffer buffer) {
        return BufferAddress.of(buffer);
    }

    /** The address of the first namenode, resolved now. */
    public static InetSocketAddress getNameNodeAddress() {
        return socketAddress(getPrimaryNameNode());
    }

    /** The URI of the first namenode. */
    public static URI getPrimaryNameNode() {
        return namenodes().get(0);
    }

    /** Whether {@code namenode}, a URI, is one of the namenodes. */
    public static boolean verifyNamenode(String namenode) {
        return getServiceId(namenode) >= 0;
    }

    /** The addresses of all namenodes, resolved now. */
    public static ConcurrentLinkedQueue<InetSocketAddress> getNameNodeList() {
        return new ConcurrentLinkedQueue<>(
                namenodes().stream().map(CrailUtils::socketAddress).toList());
    }

    /** The place of {@code namenode}, a URI, among the namenodes, from 0; -1 if it is none of them. */
    public static long getServiceId(String namenode) {
        HostPort wanted = HostPort.of(URI.create(namenode.strip()));
        List<URI> all = namenodes();
        for (int i = 0; i < all.size(); i++) {
            HostPort one = HostPort.of(all.get(i));
            if (wanted != null && one.port() == wanted.port() && one.host().equalsIgnoreCase(wanted.host())) {
                return i;
            }
        }
        return -1;
    }

    /** The number of namenodes. */
    public static long getServiceSize() {
        return namenodes().size();
    }

    private static List<URI> namenodes() {
        return Arrays.stream(CrailConstants.NAMENODE_ADDRESS.split(",", -1))
                .map(text -> URI.create(text.strip()))
                .toList();
    }

    private static InetSocketAddress socketAddress(URI uri) {
        HostPort address = HostPort.of(uri);
        return createSocketAddrForHost(address.host(), address.port());
    }

    /** The offset at which the block that holds byte {@code offset} begins. */
    public static long blockStartAddress(long offset) {
        return bufferStartAddress(offset, CrailConstants.BLOCK_SIZE);
    }

    /** The offset at which the piece of {@code size} bytes that holds byte {@code offset} begins. */
    public static long bufferStartAddress(long offset, long size) {
        return offset - offset % size;
    }

    /** The offset at which the block after that of byte {@code offset} begins. */
    public static long nextBlockAddress(long offset) {
        return blockStartAddress(offset) + CrailConstants.BLOCK_SIZE;
    }

    /** The smaller of both. */
    public static int minFileBuf(long file, int buffer) {
        return (int) Math.min(file, buffer);
    }

    /** The index of the block that holds byte {@code offset}. */
    public static int computeIndex(long offset) {
        return Math.toIntExact(offset / CrailConstants.BLOCK_SIZE);
    }

    /** The path of the directory {@code id} under {@code crail.cachepath}. */
    public static String getCacheDirectory(String id) {
        return CrailConstants.CACHE_PATH + "/" + id;
    }

    /** Logs the stack of the calling thread at level INFO. */
    public static void printStackTrace() {
        LOG.info("stack of {}", Thread.currentThread().getName(), new Throwable("no failure, only the stack"));
    }

    /** The last component of a path; empty for the root. */
    public static String getName(String path) {
        String trimmed = withoutTrailingSlashes(path);
        return trimmed.substring(trimmed.lastIndexOf('/') + 1);
    }

    /** The path without its last component; "/" if it has only one, null for the root. */
    public static String getParent(String path) {
        String trimmed = withoutTrailingSlashes(path);
        if (trimmed.isEmpty()) {
            return null;
        }
        String parent = withoutTrailingSlashes(trimmed.substring(0, trimmed.lastIndexOf('/') + 1));
        return parent.isEmpty() ? "/" : parent;
    }

    /** The path of {@code name} below {@code parent}. */
    public static String combinePath(String parent, String name) {
        return withoutTrailingSlashes(parent) + "/" + name;
    }

    private static String withoutTrailingSlashes(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    /** Whether this host has {@code address}, loopback and wildcard addresses included. */
    public static boolean isLocalAddress(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isLoopbackAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            LOG.debug("cannot list the network interfaces; {} is taken for another host's", address, e);
            return false;
        }
    }

    /** The address of a host, resolved now; unresolved if the name is not known. */
    public static InetSocketAddress createSocketAddrForHost(String host, int port) {
        return new InetSocketAddress(host, port);
    }

    /**
     * The address of a datanode, resolved now.
     *
     * @throws UnknownHostException if its host name is not known
     */
    public static InetSocketAddress datanodeInfo2SocketAddr(DataNodeInfo datanode) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(datanode.host()), datanode.getPort());
    }

    /**
     * The location class of this host: a positive number, so that it is never taken for "inherit from the parent". It
     * is made from the host's canonical name, or from its name alone where that leads to no address.
     *
     * @throws UnknownHostException if this host has no name
     */
    public static CrailLocationClass getLocationClass() throws UnknownHostException {
        try {
            return CrailLocationClass.ofHost(InetAddress.getLocalHost().getCanonicalHostName());
        } catch (UnknownHostException e) {
            return CrailLocationClass.ofHost(ownName(e));
        }
    }

    private static String ownName(UnknownHostException withoutAddress) throws UnknownHostException {
        try {
            return Files.readString(OWN_NAME).strip();
        } catch (IOException e) {
            withoutAddress.addSuppressed(e);
            throw withoutAddress;
        }
    }

    /**
     * Puts pairs "key/value", separated by commas, into {@code target}.
     *
     * @throws ConfigurationException if an entry is no such pair
     */
    public static void parseMap(String text, ConcurrentHashMap<String, String> target) throws Exception {
        for (String entry : text.split(",", -1)) {
            String pair = entry.strip();
            int slash = pair.indexOf('/');
            if (!pair.isEmpty() && (slash <= 0 || slash == pair.length() - 1 || slash != pair.lastIndexOf('/'))) {
                throw new ConfigurationException(
                        "\"" + pair + "\" is no pair; write key/value, separated from the next by a comma");
            }
            if (!pair.isEmpty()) {
                target.put(
                        pair.substring(0, slash).strip(),
                        pair.substring(slash + 1).strip());
            }
        }
    }

    /** The number of storage classes that a list of tier classes, separated by commas, makes. */
    public static int getStorageClasses(String types) {
        return types.isBlank() ? 0 : types.split(",", -1).length;
    }

    /** The text of an address of 4 or 16 bytes. */
    public static String getIPAddressFromBytes(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address has 4 bytes (IPv4) or 16 (IPv6), not " + address.length, e);
        }
    }
}
