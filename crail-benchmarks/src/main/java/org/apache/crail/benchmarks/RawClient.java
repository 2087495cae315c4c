/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** Measures what a blocking socket to a {@link RawServer} does. Not thread safe. */
final class RawClient implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer command = ByteBuffer.allocateDirect(RawServer.COMMAND_BYTES);
    private final ByteBuffer message = ByteBuffer.allocateDirect(RawServer.MESSAGE_BYTES);
    private final ByteBuffer unit = ByteBuffer.allocateDirect(RawServer.UNIT_BYTES);

    RawClient(InetSocketAddress address) throws IOException {
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Round trips of 64 bytes in nanoseconds. */
    Histogram roundTrips(int count) throws IOException {
        command(RawServer.ECHO, count);
        Histogram histogram = Sample.histogram();
        for (int i = 0; i < count; i++) {
            long startNs = System.nanoTime();
            RawServer.writeFully(channel, message.clear());
            RawServer.readFully(channel, message.clear());
            Sample.record(histogram, System.nanoTime() - startNs);
        }
        return histogram;
    }

    /** Receives a stream of units that are one buffer at the server; the result is in MiB/s. */
    double receive(int units) throws IOException {
        return receive(RawServer.SEND, units);
    }

    /** Receives a stream of stored units; the result is in MiB/s. */
    double receiveStored(int units) throws IOException {
        return receive(RawServer.SEND_STORED, units);
    }

    private double receive(byte command, int units) throws IOException {
        long startNs = System.nanoTime();
        command(command, units);
        for (int i = 0; i < units; i++) {
            RawServer.readFully(channel, unit.clear());
        }
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }

    /** Asks for units one by one, each after the former has arrived; the result is in MiB/s. */
    double request(int units) throws IOException {
        long startNs = System.nanoTime();
        for (int i = 0; i < units; i++) {
            command(RawServer.SEND, 1);
            RawServer.readFully(channel, unit.clear());
        }
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }

    /** Sends units one by one, each after the former has been acknowledged; the result is in MiB/s. */
    double deliver(int units) throws IOException {
        long startNs = System.nanoTime();
        for (int i = 0; i < units; i++) {
            swallow(RawServer.SWALLOW, 1);
        }
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }

    /** Sends a stream of units and waits until all have been taken; the result is in MiB/s. */
    double send(int units) throws IOException {
        return send(RawServer.SWALLOW, units);
    }

    /** The same, and the server stores them in memory of their own. */
    double sendStored(int units) throws IOException {
        return send(RawServer.SWALLOW_STORED, units);
    }

    private double send(byte command, int units) throws IOException {
        long startNs = System.nanoTime();
        swallow(command, units);
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }

    private void swallow(byte command, int units) throws IOException {
        command(command, units);
        for (int i = 0; i < units; i++) {
            RawServer.writeFully(channel, unit.clear());
        }
        RawServer.readFully(channel, message.clear().limit(1));
    }

    private void command(byte what, long amount) throws IOException {
        command.clear().put(what).putLong(amount).flip();
        RawServer.writeFully(channel, command);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
