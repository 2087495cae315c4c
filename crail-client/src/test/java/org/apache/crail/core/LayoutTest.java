/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locations are used only for bytes that the node had when it had the blocks that they tell of. */
@Timeout(60)
class LayoutTest {
    private static final int BLOCK = TestCluster.BLOCK;
    private static final int PART = 512;

    private TestCluster cluster;

    @BeforeEach
    void fillTheStoreWithBytesOfDeletedFiles() throws Exception {
        cluster = new TestCluster(64, BLOCK, PART);
        cluster.create("/t", CrailNodeType.TABLE);
        for (int i = 0; i < 19; i++) {
            write(cluster.file("/old" + i).getDirectOutputStream(0), 3 * BLOCK, 'S')
                    .close();
        }
        for (int i = 0; i < 19; i++) {
            cluster.store.delete("/old" + i, false).get();
        }
        cluster.pass(TestCluster.TOKEN_MS);
        cluster.pass(TestCluster.TOKEN_MS);
    }

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    private static CrailOutputStream write(CrailOutputStream out, int bytes, char fill) throws Exception {
        for (int left = bytes; left > 0; left -= BLOCK) {
            out.write(bytes(Math.min(left, BLOCK), fill)).get();
        }
        return out;
    }

    private static CrailBuffer bytes(int length, char fill) throws Exception {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) fill);
        return TestCluster.buffer(bytes);
    }

    private static String read(CrailFile file, long position, int length) throws Exception {
        CrailInputStream in = file.getDirectInputStream(0);
        in.seek(position);
        return read(in, length);
    }

    private static String read(CrailInputStream in, int length) throws Exception {
        CrailBuffer target = TestCluster.space(length);
        CrailResult result = in.read(target).get(30, TimeUnit.SECONDS);
        in.close();
        byte[] bytes = new byte[(int) result.getLen()];
        target.clear();
        target.get(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static String repeated(char c, int times) {
        return String.valueOf(c).repeat(times);
    }

    @Test
    void shouldReadAGrownValueFromItsWholeBlockAlsoAFewBytesAtATime() throws Exception {
        CrailKeyValue value = cluster.create("/t/v", CrailNodeType.KEYVALUE).asKeyValue();
        CrailOutputStream out = value.getDirectOutputStream(0);
        out.write(bytes(100, 'a')).get();
        out.write(bytes(2 * PART, 'b')).get();
        out.close();
        assertThat(read(value.getDirectInputStream(0), PART)).isEqualTo(repeated('a', 100) + repeated('b', PART - 100));
    }

    @Test
    void shouldReadASyncedGrownValueFromItsWholeBlockWhileItIsBeingWritten() throws Exception {
        CrailKeyValue value = cluster.create("/t/v", CrailNodeType.KEYVALUE).asKeyValue();
        CrailOutputStream out = value.getDirectOutputStream(0);
        out.write(bytes(100, 'a')).get();
        out.write(bytes(2 * PART, 'b')).get();
        out.sync().get();
        assertThat(read(value.getDirectInputStream(0), PART)).isEqualTo(repeated('a', 100) + repeated('b', PART - 100));
        out.close();
    }

    @Test
    void shouldNotReadBlocksThatWereGivenBackAtACloseWhenAnotherStoreHasAppended() throws Exception {
        CrailFile file = cluster.file("/f");
        write(file.getDirectOutputStream(0), 6 * BLOCK + 100, 'a').close();
        CrailFile other = cluster.newStore().lookup("/f").get().asFile();
        write(write(other.openForAppend(0), BLOCK - 100, 'b'), 3 * BLOCK, 'b').close();
        CrailFile again = cluster.lookup("/f");
        assertThat(again.getCapacity()).isEqualTo(10L * BLOCK);
        for (int block = 7; block < 10; block++) {
            assertThat(read(again, (long) block * BLOCK + 10, 1000)).isEqualTo(repeated('b', 1000));
        }
    }

    @Test
    void shouldNotReadABlockThatAnUntouchedFileHadForAnInstant() throws Exception {
        CrailFile file = cluster.file("/f");
        file.getDirectOutputStream(0).close();
        CrailFile other = cluster.newStore().lookup("/f").get().asFile();
        CrailFile first = cluster.file("/g");
        write(first.getDirectOutputStream(0), 10, 'S').close();
        write(other.openForAppend(0), 10, 'b').close();
        assertThat(read(cluster.lookup("/f"), 0, 10)).isEqualTo(repeated('b', 10));
    }

    @Test
    void shouldKeepLateBytesOfAFailedWriteOffTheNextWriter() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = file.getDirectOutputStream(0);
        out.write(bytes(100, 'a')).get();
        cluster.tier.failNext(HeapTier.Access::write, ErrorCode.TIMEOUT.exception("the datanode does not answer"));
        assertThatThrownBy(() -> out.write(bytes(900, 'a')).get()).isNotNull();
        assertThatThrownBy(out::close).isInstanceOf(CrailException.class);
        CrailFile other = cluster.newStore().lookup("/f").get().asFile();
        assertThatThrownBy(() -> other.openForAppend(0))
                .isInstanceOfSatisfying(
                        CrailException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOKEN_TAKEN));
        cluster.pass(TestCluster.TOKEN_MS);
        write(other.openForAppend(0), 900, 'b').close();
        cluster.tier.arriveLate();
        assertThat(read(cluster.newStore().lookup("/f").get().asFile(), 100, 900))
                .isEqualTo(repeated('b', 900));
    }

    @Test
    void shouldReadNothingBehindTheNodesEndWhenItsWriterHasLostItsToken() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = write(file.getDirectOutputStream(0), 6 * BLOCK, 'a');
        assertThat(read(file, 5 * BLOCK, 10)).isEqualTo(repeated('a', 10));
        CrailFile other = cluster.newStore().lookup("/f").get().asFile();
        write(takeOver(other), 2 * BLOCK, 'b').close();
        write(other.openForAppend(0), 3 * BLOCK + 100, 'b').close();
        assertThatThrownBy(() -> read(file, 5 * BLOCK + 2000, 1000))
                .rootCause()
                .isInstanceOfSatisfying(
                        CrailException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOKEN_MISMATCH));
        assertThatThrownBy(out::close).isInstanceOf(CrailException.class);
    }

    /** Opens a file for append whose writer is silent for too long; its store renews the token at times of its own. */
    private CrailOutputStream takeOver(CrailFile file) throws Exception {
        while (true) {
            cluster.pass(TestCluster.TOKEN_MS);
            try {
                return file.openForAppend(0);
            } catch (CrailException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.TOKEN_TAKEN);
            }
        }
    }
}
