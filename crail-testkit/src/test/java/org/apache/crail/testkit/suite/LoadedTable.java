/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;

/**
 * A table in which one client replaces values, and appends to them, while another reads them. Each operation has to
 * succeed, or to fail with an error that a datanode's loss explains; what was acknowledged has to be there. One thread
 * writes, one reads, others may ask.
 */
final class LoadedTable {
    private static final Set<ErrorCode> EXPECTED = EnumSet.of(
            ErrorCode.DATANODE_LOST,
            ErrorCode.DATANODE_UNREACHABLE,
            ErrorCode.STALE_BLOCK,
            ErrorCode.TIMEOUT,
            ErrorCode.NO_FREE_BLOCKS,
            ErrorCode.BLOCKS_PENDING);
    private static final Set<ErrorCode> EXPECTED_WHILE_REPLACED = EnumSet.copyOf(EXPECTED);

    static {
        EXPECTED_WHILE_REPLACED.add(ErrorCode.STALE_NODE);
    }

    private static final int KEYS = 16;
    private static final int MOST_BYTES = 2 * ClusterSuite.BLOCK;
    private static final int MOST_APPENDED = 1_500;

    private final TestClient writer;
    private final TestClient reader;
    private final String path;
    private final Random random;

    /** Values that have been acknowledged, by path. */
    private final Map<String, Value> values = new ConcurrentHashMap<>();

    private final AtomicInteger acknowledged = new AtomicInteger();
    private volatile boolean stopped;

    /**
     * A value that has been acknowledged.
     *
     * @param id what its bytes are made from
     * @param length how many of them have been acknowledged
     * @param torn whether an append to it has failed, so that there may be more
     */
    private record Value(long id, int length, boolean torn) {
        void verify(byte[] found) {
            assertThat(found.length).isGreaterThanOrEqualTo(length);
            Pattern.verify(id, 0, found);
        }
    }

    LoadedTable(TestClient writer, TestClient reader, String path, int seed) {
        this.writer = writer;
        this.reader = reader;
        this.path = path;
        this.random = new Random(seed);
    }

    /** How many writes have been acknowledged. */
    int acknowledged() {
        return acknowledged.get();
    }

    void stop() {
        stopped = true;
    }

    /** Writes until it is stopped. */
    Void write() throws Exception {
        for (int id = 1; !stopped; id++) {
            String key = path + "/" + id % KEYS;
            try {
                Value former = values.get(key);
                if (former != null && !former.torn() && random.nextBoolean()) {
                    append(key, former);
                } else {
                    replace(key, id);
                }
                acknowledged.incrementAndGet();
            } catch (CrailException e) {
                check(e, EXPECTED);
            }
        }
        return null;
    }

    private void replace(String key, int id) throws Exception {
        values.remove(key);
        writer.delete(key, false);
        int length = 1 + random.nextInt(random.nextInt(4) == 0 ? MOST_BYTES : MOST_APPENDED);
        writer.put(key, Pattern.of(id, length));
        values.put(key, new Value(id, length, false));
    }

    private void append(String key, Value former) throws Exception {
        byte[] more = Pattern.of(former.id(), former.length(), 1 + random.nextInt(MOST_APPENDED));
        values.put(key, new Value(former.id(), former.length(), true));
        writer.append(key, more);
        values.put(key, new Value(former.id(), former.length() + more.length, false));
    }

    /** Reads until it is stopped. */
    Void read() throws Exception {
        Random own = new Random(path.hashCode());
        while (!stopped) {
            String key = path + "/" + own.nextInt(KEYS);
            Value before = values.get(key);
            try {
                byte[] found = before == null ? null : reader.read(key);
                Value after = values.get(key);
                if (before != null && after != null && after.id() == before.id()) { // it was not replaced meanwhile
                    before.verify(found);
                }
            } catch (CrailException e) {
                check(e, EXPECTED_WHILE_REPLACED);
            }
        }
        return null;
    }

    private static void check(CrailException failure, Set<ErrorCode> expected) {
        if (!expected.contains(failure.code())) {
            throw new AssertionError("not explained by the loss of a datanode: " + failure, failure);
        }
    }

    /** Fails unless all that was acknowledged is there, as soon as the datanodes are. */
    void verify(TestClient client) throws Exception {
        assertThat(values).isNotEmpty();
        for (Map.Entry<String, Value> entry : values.entrySet()) {
            Await.until(entry.getKey() + " can be read", () -> verify(client, entry.getKey(), entry.getValue()));
        }
    }

    private static boolean verify(TestClient client, String key, Value value) throws Exception {
        try {
            byte[] found = client.read(key);
            assertThat(found).as(key).isNotNull();
            value.verify(found);
            return true;
        } catch (DatanodeLostException | DatanodeUnreachableException e) {
            return false;
        }
    }
}
