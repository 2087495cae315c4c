/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.unix.DomainSocketChannel;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.HostPort;

/** Addresses in messages, and what can be wrong with them. Stateless. */
public final class SocketAddresses {
    private SocketAddresses() {}

    /** An address as {@code host:port}, with an IPv6 address in brackets. */
    public static String text(SocketAddress address) {
        return HostPort.text(address);
    }

    /** Who is at the other end of a connection: its address, or that it is on this host. */
    public static String peer(Channel connection) {
        return isLocalSocket(connection) ? "a process on this host" : text(connection.remoteAddress());
    }

    /**
     * Whether a socket is connected to itself, which happens when somebody connects to a port of this host that nobody
     * listens on and the system happens to choose the same port for the near end.
     */
    public static boolean isSelfConnected(Channel channel) {
        return channel.localAddress() != null && channel.localAddress().equals(channel.remoteAddress());
    }

    /**
     * Whether both ends of a connection are on one host: they have one address, or loopback addresses, or it is a Unix
     * domain socket.
     */
    public static boolean isSameHost(Channel channel) {
        if (isLocalSocket(channel)) {
            return true;
        }
        return channel.localAddress() instanceof InetSocketAddress local
                && channel.remoteAddress() instanceof InetSocketAddress remote
                && (local.getAddress().equals(remote.getAddress())
                        || (local.getAddress().isLoopbackAddress()
                                && remote.getAddress().isLoopbackAddress()));
    }

    /** Whether a connection is over a Unix domain socket. */
    public static boolean isLocalSocket(Channel channel) {
        return channel instanceof DomainSocketChannel || channel instanceof NioDomainSocketChannel;
    }

    /** Why a connection was not made, without the address, which messages name themselves, and what Netty calls it. */
    public static String connectFailure(Throwable cause) {
        String reason = String.valueOf(cause.getMessage());
        if (reason.contains("refused")) {
            return "nobody listens there (connection refused)";
        }
        if (cause instanceof ConnectTimeoutException) {
            return "it did not answer in time";
        }
        if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
            return "the host name cannot be resolved";
        }
        if (cause instanceof NoRouteToHostException) { // of which Netty knows no more
            return "no route leads there (network is unreachable)";
        }
        String text = reason.replaceFirst("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ", "")
                .replaceFirst(": [^: ]*/\\S+$", "");
        return text.equals("null") ? cause.getClass().getSimpleName() : text;
    }

    /** Says why {@code address}, which {@code who} wants to listen on and {@code setting} chooses, cannot be bound. */
    public static ConfigurationException bindError(
            String who, InetSocketAddress address, String setting, Throwable cause) {
        String where = who + " cannot listen on " + text(address) + ": ";
        if (address.isUnresolved()) {
            return new ConfigurationException(
                    where + "the host name cannot be resolved; use a name or an address of this host", cause);
        }
        String reason = String.valueOf(cause.getMessage());
        if (reason.contains("in use")) {
            return new ConfigurationException(
                    where + "the port is in use; stop the process that listens there, or choose another port with "
                            + setting,
                    cause);
        }
        if (reason.contains("assign requested address")) {
            return new ConfigurationException(
                    where + "this host does not have the address; use one of its own, or 0.0.0.0 or :: for all", cause);
        }
        if (reason.contains("ermission denied")) {
            return new ConfigurationException(
                    where + "no right to use the port; choose one above 1023 with " + setting, cause);
        }
        return new ConfigurationException(where + reason, cause);
    }
}
