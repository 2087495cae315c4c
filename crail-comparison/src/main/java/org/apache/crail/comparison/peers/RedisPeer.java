/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Programs;
import org.apache.crail.comparison.Servers;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/** Redis without persistence, and its client Jedis: a connection for each thread. */
public final class RedisPeer implements Peer {
    private static final String PROGRAM = "redis-server";
    private static final int TIME_LIMIT_MS = 60_000;

    private InetSocketAddress address;

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.VALUES, Ability.VALUES_AT_ONCE);
    }

    @Override
    public Optional<String> missing() {
        return Programs.missing(PROGRAM, "redis-server");
    }

    @Override
    public void start(Servers servers) throws Exception {
        address = TextServer.start(servers, name(), RedisPeer::command, "INFO server", "process_id:");
    }

    private static List<String> command(int port) {
        return List.of(
                PROGRAM, "--bind", "127.0.0.1", "--port", Integer.toString(port), "--save", "", "--appendonly", "no");
    }

    @Override
    public Optional<String> address() {
        return Optional.of(TextServer.text(address));
    }

    @Override
    public void attach(String text) {
        address = TextServer.address(text);
    }

    @Override
    public PeerClient connect() {
        return new Client(new Jedis(address.getHostString(), address.getPort(), TIME_LIMIT_MS));
    }

    private static final class Client implements PeerClient {
        private final Jedis jedis;
        private byte[] value;
        private byte[] fetched;

        Client(Jedis jedis) {
            this.jedis = jedis;
        }

        @Override
        public void prepare(byte[] bytes) {
            value = bytes;
        }

        @Override
        public void put(String key) {
            jedis.set(key.getBytes(StandardCharsets.UTF_8), value);
        }

        @Override
        public void get(String key) {
            fetched = jedis.get(key.getBytes(StandardCharsets.UTF_8));
            if (fetched == null) {
                throw new IllegalStateException("there is no value " + key);
            }
        }

        @Override
        public void putAll(String[] keys) {
            try (Pipeline pipeline = jedis.pipelined()) {
                for (String key : keys) {
                    pipeline.set(key.getBytes(StandardCharsets.UTF_8), value);
                }
            }
        }

        @Override
        public long getAll(String[] keys) {
            List<Response<byte[]>> answers = new ArrayList<>(keys.length);
            try (Pipeline pipeline = jedis.pipelined()) {
                for (String key : keys) {
                    answers.add(pipeline.get(key.getBytes(StandardCharsets.UTF_8)));
                }
            }
            long bytes = 0;
            for (Response<byte[]> answer : answers) {
                bytes += answer.get().length;
            }
            return bytes;
        }

        @Override
        public byte[] fetched() {
            return fetched;
        }

        @Override
        public void remove(String table) {
            Set<String> keys = jedis.keys(table + "*");
            if (!keys.isEmpty()) {
                jedis.del(keys.toArray(new String[0]));
            }
        }

        @Override
        public void close() {
            jedis.close();
        }
    }
}
