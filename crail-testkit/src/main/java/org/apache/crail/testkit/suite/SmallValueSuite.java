/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.KEYVALUE;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Values that share blocks: how much room they take, that they never harm each other, and that they may become longer.
 */
public abstract class SmallValueSuite extends ClusterSuite {
    private static final int MIB = 1024 * 1024;
    private static final int BLOCKS = 8;
    private static final int PART = 4096;

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .blocksPerDatanode(BLOCKS)
                .with("crail.blocksize", Integer.toString(MIB))
                .with("crail.smallblocksize", Integer.toString(PART))
                .with("crail.tokenexpiration", Patience.ofMs(1_000));
    }

    @BeforeEach
    void createTable() throws Exception {
        client.create("/t", TABLE);
    }

    @Test
    void shouldHoldAThousandValuesInEightBlocks() throws Exception {
        int count = Rounds.of(1_000); // more than blocks in any case
        for (int i = 0; i < count; i++) {
            client.put("/t/" + i, Pattern.of(i, 1_000));
        }
        TestClient other = anotherClient();
        for (int i = 0; i < count; i++) {
            assertThat(other.read("/t/" + i)).isEqualTo(Pattern.of(i, 1_000));
        }
        assertThat(cluster.checkBlocks().allocated()).isLessThan(BLOCKS);
        assertThat(client.list("/")).containsExactly("t");
    }

    @Test
    void shouldHoldAThousandValuesThatListingsShowInEightBlocks() throws Exception {
        int count = Rounds.of(1_000);
        for (int i = 0; i < count; i++) {
            TestClient.append(
                    TestClient.await(client.creating("/t/" + i, KEYVALUE)).asKeyValue(), Pattern.of(i, 1_000));
        }
        assertThat(client.list("/t")).hasSize(count);
        assertThat(client.read("/t/" + (count - 1))).isEqualTo(Pattern.of(count - 1, 1_000));
        assertThat(cluster.checkBlocks().allocated()).isLessThan(BLOCKS);
    }

    @Test
    void shouldFreeABlockWithItsLastValue() throws Exception {
        int count = Rounds.of(400);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < count; i++) {
                client.put("/t/" + i, Pattern.of(i + round, 100));
            }
        }
        client.put("/t/kept", Pattern.of(7, 100));
        for (int i = 0; i < count; i++) {
            client.delete("/t/" + i, false);
        }
        Await.until(
                "only the last value holds a block", () -> cluster.checkBlocks().free() == BLOCKS - 1);
        assertThat(client.read("/t/kept")).isEqualTo(Pattern.of(7, 100));
        client.delete("/t/kept", false);
        Await.until("no value holds a block", () -> cluster.checkBlocks().free() == BLOCKS);
    }

    @Test
    void shouldKeepValuesApartWhileTheirNeighboursComeAndGo() throws Exception {
        Random random = new Random(5);
        byte[][] values = new byte[Rounds.of(200)][]; // each is written several times
        TestClient other = anotherClient();
        for (int i = 0; i < Rounds.of(2_000); i++) {
            int key = random.nextInt(values.length);
            String path = "/t/" + key;
            if (values[key] == null || random.nextInt(4) > 0) {
                values[key] = Pattern.of(i, random.nextInt(PART + 1));
                (random.nextBoolean() ? client : other).put(path, values[key]);
            } else {
                client.delete(path, false);
                values[key] = null;
            }
            int read = random.nextInt(values.length);
            assertThat((random.nextBoolean() ? client : other).read("/t/" + read))
                    .isEqualTo(values[read]);
        }
        cluster.checkBlocks();
    }

    @Test
    void shouldTakeShortValuesOfAllLengthsInOneWrite() throws Exception {
        putReadAndDelete(0, 1, PART - 1, PART, PART + 1, 100_000);
    }

    @Test
    void shouldTakeLongValuesOfAllLengthsInOneWrite() throws Exception {
        putReadAndDelete(MIB, MIB + 1, 2 * MIB);
    }

    /** One after the other; blocks of all that are deleted are free again some time later. */
    private void putReadAndDelete(int... lengths) throws Exception {
        for (int length : lengths) {
            client.put("/t/value", Pattern.of(length, length));
            assertThat(anotherClient().read("/t/value")).isEqualTo(Pattern.of(length, length));
            client.delete("/t/value", false);
        }
        Await.until("their blocks are free", () -> cluster.checkBlocks().free() == BLOCKS);
    }

    @Test
    void shouldLetAValueOutgrowItsPartWriteByWrite() throws Exception {
        byte[] all = Pattern.of(3, 3 * PART + 17);
        CrailFile value = client.putting("/t/value");
        client.put("/t/neighbour", Pattern.of(4, PART));
        CrailOutputStream stream = value.getDirectOutputStream(0);
        List<Future<?>> writes = new ArrayList<>();
        for (int from = 0; from < all.length; from += 500) {
            byte[] part = Arrays.copyOfRange(all, from, Math.min(from + 500, all.length));
            writes.add(stream.write(TestClient.buffer(part))); // no write waits for the one before
        }
        for (Future<?> write : writes) {
            TestClient.await(write);
        }
        stream.close();
        assertThat(client.read("/t/value")).isEqualTo(all);
        assertThat(anotherClient().read("/t/value")).isEqualTo(all);
        assertThat(client.read("/t/neighbour")).isEqualTo(Pattern.of(4, PART));
        client.delete("/t/neighbour", false);
        Await.until(
                "nothing holds the shared block", () -> cluster.checkBlocks().allocated() == 1);
    }

    @Test
    void shouldShowReadersWhatWasSyncedWhileAValueGrows() throws Exception {
        growSyncBySync(client.putting("/t/value"));
    }

    @Test
    void shouldShowReadersWhatWasSyncedWhileAFileGrows() throws Exception {
        growSyncBySync(client.createFile("/file"));
    }

    private void growSyncBySync(CrailFile node) throws Exception {
        byte[] all = Pattern.of(9, 5 * PART);
        CrailOutputStream stream = node.getDirectOutputStream(0);
        TestClient other = anotherClient();
        for (int end : new int[] {100, PART - 1, PART, PART + 1, 2 * PART, 5 * PART}) {
            int from = (int) stream.position();
            TestClient.await(stream.write(TestClient.buffer(Arrays.copyOfRange(all, from, end))));
            assertThat(client.read(node.getPath())).hasSize(from);
            TestClient.await(stream.sync());
            assertThat(client.read(node.getPath())).isEqualTo(Arrays.copyOf(all, end));
            assertThat(other.read(node.getPath())).isEqualTo(Arrays.copyOf(all, end));
        }
        stream.close();
    }

    private void leaveFree(int blocks) throws Exception {
        for (int i = 0; cluster.checkBlocks().free() > blocks; i++) {
            client.write("/f" + i, Pattern.of(i, MIB));
        }
        assertThat(cluster.checkBlocks().free()).isEqualTo(blocks);
    }

    @Test
    void shouldKeepAValueWhoseReplacementFindsNoRoom() throws Exception {
        client.put("/t/value", Pattern.of(1, 1_000));
        TestClient other = anotherClient();
        assertThat(other.read("/t/value")).isEqualTo(Pattern.of(1, 1_000));
        leaveFree(0);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> client.put("/t/value", Pattern.of(2, 100_000)))
                    .isInstanceOf(NoFreeBlocksException.class);
            assertThat(client.read("/t/value")).isEqualTo(Pattern.of(1, 1_000));
            assertThat(other.read("/t/value")).isEqualTo(Pattern.of(1, 1_000));
        }
        client.put("/t/value", Pattern.of(3, 1_000)); // needs no block
        assertThat(other.read("/t/value")).isEqualTo(Pattern.of(3, 1_000));
        client.delete("/f1", false);
        Await.until("a block is free", () -> cluster.checkBlocks().free() == 1);
        other.put("/t/value", Pattern.of(4, 100_000));
        assertThat(client.read("/t/value")).isEqualTo(Pattern.of(4, 100_000));
    }

    @Test
    void shouldKeepAValueWhoseReplacementFindsNoSecondBlock() throws Exception {
        client.put("/t/value", Pattern.of(1, 1_000));
        TestClient other = anotherClient();
        leaveFree(1);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> client.put("/t/value", Pattern.of(2, MIB + 1)))
                    .isInstanceOf(NoFreeBlocksException.class);
            assertThat(client.read("/t/value")).isEqualTo(Pattern.of(1, 1_000));
            assertThat(other.read("/t/value")).isEqualTo(Pattern.of(1, 1_000));
            Await.until(
                    "the first block is free again", () -> cluster.checkBlocks().free() == 1);
        }
        client.put("/t/value", Pattern.of(3, MIB));
        assertThat(other.read("/t/value")).isEqualTo(Pattern.of(3, MIB));
    }

    @Test
    void shouldGiveAnEmptyValueAPartWhenItIsWrittenTo() throws Exception {
        client.putting("/t/value").getDirectOutputStream(0).close();
        Await.until("nothing is held", () -> cluster.checkBlocks().free() == BLOCKS);
        assertThat(client.read("/t/value")).isEmpty();
        client.put("/t/neighbour", Pattern.of(1, 1_000));
        TestClient other = anotherClient();
        other.append("/t/value", Pattern.of(2, 1_000));
        assertThat(cluster.checkBlocks().free()).as("one block for both").isEqualTo(BLOCKS - 1);
        assertThat(client.read("/t/value")).isEqualTo(Pattern.of(2, 1_000));
        assertThat(client.read("/t/neighbour")).isEqualTo(Pattern.of(1, 1_000));
    }

    @Test
    void shouldLetAnotherWriterGoOnWithAValue() throws Exception {
        client.put("/t/value", new byte[0]);
        goOnByAnother("/t/value");
    }

    @Test
    void shouldLetAnotherWriterGoOnWithAFile() throws Exception {
        client.createFile("/file").getDirectOutputStream(0).close();
        goOnByAnother("/file");
    }

    private void goOnByAnother(String path) throws Exception {
        byte[] all = Pattern.of(11, 3 * PART);
        client.append(path, Arrays.copyOf(all, 1_000));
        TestClient other = anotherClient();
        other.append(path, Arrays.copyOfRange(all, 1_000, PART));
        assertThat(client.read(path)).isEqualTo(Arrays.copyOf(all, PART));
        other.append(path, Arrays.copyOfRange(all, PART, PART + 1));
        client.append(path, Arrays.copyOfRange(all, PART + 1, all.length));
        assertThat(other.read(path)).isEqualTo(all);
    }

    @Test
    void shouldHoldAThousandFilesOfManyDirectoriesInEightBlocks() throws Exception {
        int count = Rounds.of(1_000);
        for (int i = 0; i < count; i++) {
            if (i % 10 == 0) {
                client.create("/d" + i / 10, DIRECTORY);
            }
            client.write("/d" + i / 10 + "/" + i, Pattern.of(i, 10));
        }
        for (int i = 0; i < count; i++) {
            assertThat(client.read("/d" + i / 10 + "/" + i)).isEqualTo(Pattern.of(i, 10));
        }
        assertThat(cluster.checkBlocks().allocated()).isLessThan(BLOCKS);
    }

    @Test
    void shouldGiveBackTheBlockThatAValueWasGrowingIntoWhenItWasDeleted() throws Exception {
        CrailFile value = client.putting("/t/value");
        CrailOutputStream stream = value.getDirectOutputStream(0);
        TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, 100))));
        TestClient.await(stream.sync());
        TestClient.await(stream.write(TestClient.buffer(Pattern.of(2, 2 * PART)))); // never synced
        client.delete("/t/value", false);
        Await.until("nothing is held", () -> cluster.checkBlocks().free() == BLOCKS);
        assertThatThrownBy(stream::close).isInstanceOf(StaleNodeException.class);
    }
}
