/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.spy.memcached.CachedData;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.transcoders.Transcoder;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Programs;
import org.apache.crail.comparison.Servers;

/** Memcached and the client spymemcached, which all threads share as it wants it. */
public final class MemcachedPeer implements Peer {
    private static final String PROGRAM = "memcached";
    private static final long TIME_LIMIT_MS = 60_000;
    private static final Transcoder<byte[]> AS_IT_IS = new AsItIs();

    private InetSocketAddress address;
    private MemcachedClient shared;

    @Override
    public String name() {
        return PROGRAM;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.VALUES);
    }

    @Override
    public Optional<String> missing() {
        return Programs.missing(PROGRAM, "memcached");
    }

    @Override
    public void start(Servers servers) throws Exception {
        address = TextServer.start(servers, name(), MemcachedPeer::command, "stats", "STAT pid ");
        open();
    }

    private void open() throws IOException {
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
        shared = new MemcachedClient(
                new ConnectionFactoryBuilder().setOpTimeout(TIME_LIMIT_MS).build(), List.of(address));
    }

    /** As much memory, and as large values, as are needed; root must name itself to be allowed. */
    private static List<String> command(int port) {
        return List.of(
                PROGRAM,
                "-l",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                "0",
                "-m",
                "1024",
                "-I",
                "8m",
                "-u",
                System.getProperty("user.name"));
    }

    @Override
    public Optional<String> address() {
        return Optional.of(TextServer.text(address));
    }

    @Override
    public void attach(String text) throws IOException {
        address = TextServer.address(text);
        open();
    }

    @Override
    public PeerClient connect() {
        return new Client(shared);
    }

    @Override
    public void close() {
        if (shared != null) {
            shared.shutdown();
        }
    }

    private static final class Client implements PeerClient {
        private final MemcachedClient memcached;
        private byte[] value;
        private byte[] fetched;

        Client(MemcachedClient memcached) {
            this.memcached = memcached;
        }

        @Override
        public void prepare(byte[] bytes) {
            value = bytes;
        }

        @Override
        public void put(String key) throws Exception {
            if (!memcached.set(key, 0, value, AS_IT_IS).get()) {
                throw new IllegalStateException("value " + key + " has not been stored");
            }
        }

        @Override
        public void get(String key) {
            fetched = memcached.get(key, AS_IT_IS);
            if (fetched == null) {
                throw new IllegalStateException("there is no value " + key);
            }
        }

        @Override
        public byte[] fetched() {
            return fetched;
        }
    }

    /** Neither serializes nor compresses. */
    private static final class AsItIs implements Transcoder<byte[]> {
        @Override
        public boolean asyncDecode(CachedData data) {
            return false;
        }

        @Override
        public CachedData encode(byte[] value) {
            return new CachedData(0, value, getMaxSize());
        }

        @Override
        public byte[] decode(CachedData data) {
            return data.getData();
        }

        @Override
        public int getMaxSize() {
            return CachedData.MAX_SIZE;
        }
    }
}
