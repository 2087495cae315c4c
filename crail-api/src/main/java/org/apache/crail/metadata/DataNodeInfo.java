/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import org.apache.crail.internal.HostPort;

/**
 * A datanode as clients see it: where it is reached, and what it offers. The host is what the datanode advertises: a
 * name, an IPv4 or an IPv6 address. Immutable.
 */
public class DataNodeInfo {
    private final int storageType;
    private final int storageClass;
    private final int locationClass;
    private final String host;
    private final int port;
    private final String locator;

    /**
     * Describes a datanode.
     *
     * @param storageType index of its tier in {@code crail.storage.types}
     * @param storageClass the storage class its blocks belong to
     * @param locationClass the location class of its host
     * @param host what clients connect to: a host name or an address
     * @param port the port that clients connect to
     */
    public DataNodeInfo(int storageType, int storageClass, int locationClass, String host, int port) {
        this(storageType, storageClass, locationClass, host, port, "");
    }

    /**
     * As {@link #DataNodeInfo(int, int, int, String, int)}.
     *
     * @param locator what the clients of its tier need besides the address to find its medium; tiers whose datanodes
     *     serve transfers themselves need nothing and have an empty one
     */
    public DataNodeInfo(int storageType, int storageClass, int locationClass, String host, int port, String locator) {
        this.storageType = storageType;
        this.storageClass = storageClass;
        this.locationClass = locationClass;
        this.host = Objects.requireNonNull(host, "host");
        this.port = port;
        this.locator = Objects.requireNonNull(locator, "locator");
    }

    /** As {@link #DataNodeInfo(int, int, int, String, int)}, with the 4 or 16 bytes of an address. */
    public DataNodeInfo(int storageType, int storageClass, int locationClass, byte[] ipAddress, int port) {
        this(storageType, storageClass, locationClass, hostAddress(ipAddress), port);
    }

    private static String hostAddress(byte[] ipAddress) {
        try {
            return InetAddress.getByAddress(ipAddress).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "an address has 4 bytes (IPv4) or 16 (IPv6), not " + ipAddress.length, e);
        }
    }

    public int getStorageType() {
        return storageType;
    }

    public int getStorageClass() {
        return storageClass;
    }

    public int getLocationClass() {
        return locationClass;
    }

    /** The advertised host: a name, an IPv4 or an IPv6 address. */
    public String host() {
        return host;
    }

    public int getPort() {
        return port;
    }

    /** What the clients of its tier need besides the address to find its medium; may be empty. */
    public String locator() {
        return locator;
    }

    /** The bytes of the host's address, resolved now; empty when the name cannot be resolved. */
    public byte[] getIpAddress() {
        InetAddress address = socketAddress().getAddress();
        return address == null ? new byte[0] : address.getAddress();
    }

    /** The address to connect to, resolved now; check {@link InetSocketAddress#isUnresolved()}. */
    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(host, port);
    }

    /** A number that tells datanodes of one cluster apart with high probability: a hash of host, port and locator. */
    public long key() {
        return ((long) (host.hashCode() ^ locator.hashCode()) << 32) | port;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DataNodeInfo that
                && port == that.port
                && storageType == that.storageType
                && storageClass == that.storageClass
                && locationClass == that.locationClass
                && host.equals(that.host)
                && locator.equals(that.locator);
    }

    @Override
    public int hashCode() {
        return 31 * host.hashCode() + port;
    }

    /** The address as {@code host:port}, with an IPv6 address in brackets. */
    public String address() {
        return new HostPort(host, port).toString();
    }

    /** What tells a datanode apart from others, for people too: its address, with the locator if it has one. */
    public String identity() {
        return locator.isEmpty() ? address() : address() + " [" + locator + "]";
    }

    @Override
    public String toString() {
        return identity() + " (type " + storageType + ", class " + storageClass + ", location " + locationClass + ")";
    }
}
