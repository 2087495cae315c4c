/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where blocks are: storage classes with fall-back, location classes, block locations. Class 0 and class 1 have 8
 * blocks each.
 */
public abstract class PlacementSuite extends ClusterSuite {
    private static final int BLOCKS = 8;
    private static final int FILES_IN_A_BLOCK = BLOCK / 4096;

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .blocksPerDatanode(BLOCKS)
                .firstClassOnly()
                .with("crail.storage.classes", "2")
                .with("crail.tokenexpiration", Patience.ofMs(1_000)); // deleted blocks are soon free again
    }

    @BeforeEach
    void startSecondClass() throws Exception {
        cluster.startDatanode(1);
    }

    @Test
    void shouldPlaceBlocksInTheWishedClass() throws Exception {
        write("/zero", CrailStorageClass.get(0), CrailLocationClass.DEFAULT, 2 * BLOCK);
        write("/one", CrailStorageClass.get(1), CrailLocationClass.DEFAULT, 2 * BLOCK);

        assertThat(datanodesOf("/zero")).containsExactly(port(0));
        assertThat(datanodesOf("/one")).containsExactly(port(1));
    }

    @Test
    void shouldInheritTheClassOfTheParent() throws Exception {
        create("/d", DIRECTORY, CrailStorageClass.get(1), CrailLocationClass.DEFAULT);
        write("/d/file", CrailStorageClass.PARENT, CrailLocationClass.PARENT, 2 * BLOCK);

        assertThat(datanodesOf("/d/file")).containsExactly(port(1));
    }

    @Test
    void shouldFallBackToTheOtherClassWhenTheWishedOneIsFull() throws Exception {
        byte[] bytes = Pattern.of(1, (BLOCKS + 2) * BLOCK);
        write("/one", CrailStorageClass.get(1), CrailLocationClass.DEFAULT, bytes);

        assertThat(datanodesOf("/one")).containsExactlyInAnyOrder(port(0), port(1));
        assertThat(client.read("/one")).isEqualTo(bytes);
    }

    @Test
    void shouldFallBackToOtherHostsWhenTheWishedOneIsUnknown() throws Exception {
        int wished = cluster.datanode(0).info().getLocationClass();
        write("/here", CrailStorageClass.DEFAULT, CrailLocationClass.get(wished), BLOCK);
        write("/there", CrailStorageClass.DEFAULT, CrailLocationClass.ofHost("elsewhere.example"), BLOCK);

        CrailBlockLocation location = client.lookup("/here").getBlockLocations(0, BLOCK)[0];
        assertThat(location.getLocationAffinities()).containsExactly(wished);
        assertThat(client.read("/there")).hasSize(BLOCK);
    }

    /** D15: the location class of a host is never taken for that of the parent, whatever the hash of its name is. */
    @Test
    void shouldHaveAPositiveLocationClass() {
        assertThat(client.store().getLocationClass().value()).isPositive();
    }

    @Test
    void shouldSpreadBlocksOverDatanodesOfAClass() throws Exception {
        cluster.startDatanode(0);
        write("/file", CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, 6 * BLOCK);

        assertThat(datanodesOf("/file")).containsExactlyInAnyOrder(port(0), port(2));
    }

    @Test
    void shouldTellBlockLocations() throws Exception {
        int length = 3 * BLOCK + BLOCK / 2;
        write("/file", CrailStorageClass.get(0), CrailLocationClass.DEFAULT, length);
        CrailNode file = client.lookup("/file");

        CrailBlockLocation[] all = file.getBlockLocations(0, length);
        assertThat(all).hasSize(4);
        long offset = 0;
        for (CrailBlockLocation location : all) {
            assertThat(location.getOffset()).isEqualTo(offset);
            assertThat(location.getNames()).hasSize(1);
            assertThat(location.getNames()[0]).endsWith(":" + port(0));
            assertThat(location.getHosts()).hasSize(1);
            assertThat(location.getTopology()[0]).startsWith("/default-rack/");
            assertThat(location.getStorageTypes()).containsExactly(0);
            offset += location.getLength();
        }
        assertThat(offset).isEqualTo(length);
        assertThat(file.getBlockLocations(BLOCK + 1, 10)).hasSize(1);
        assertThat(file.getBlockLocations(BLOCK - 1, 2)).hasSize(2);
    }

    @Test
    void shouldRefuseBlockLocationsOutsideOfAFile() throws Exception {
        client.write("/file", new byte[BLOCK]);
        CrailNode file = client.lookup("/file");

        assertThatThrownBy(() -> file.getBlockLocations(-1, 1)).isInstanceOf(PositionOutOfRangeException.class);
        assertThatThrownBy(() -> file.getBlockLocations(0, -1)).isInstanceOf(PositionOutOfRangeException.class);
        assertThatThrownBy(() -> file.getBlockLocations(10L * BLOCK, 1))
                .isInstanceOf(PositionOutOfRangeException.class);
    }

    /** D1: a create that finds no free block leaves no node behind. */
    @Test
    void shouldLeaveNothingBehindWhenThereIsNoBlockForAFile() throws Exception {
        int created = 0;
        boolean full = false;
        while (!full) {
            try {
                client.createFile("/f" + created);
                created++;
            } catch (NoFreeBlocksException e) {
                full = true;
            }
        }
        assertThat(created).isEqualTo(2 * BLOCKS * FILES_IN_A_BLOCK);
        assertThat(client.lookup("/f" + created)).isNull();
        assertThat(client.list("/")).hasSize(created);
        assertThat(cluster.checkBlocks().nodes()).isEqualTo(created + 1);

        client.delete("/f0", false);
        String next = "/f" + created;
        Await.until("a block has been reclaimed", () -> {
            try {
                client.createFile(next);
                return true;
            } catch (NoFreeBlocksException e) {
                return false;
            }
        });
    }

    private CrailNode create(String path, CrailNodeType type, CrailStorageClass storage, CrailLocationClass location)
            throws Exception {
        return TestClient.await(client.store().create(path, type, storage, location, true));
    }

    private void write(String path, CrailStorageClass storage, CrailLocationClass location, int length)
            throws Exception {
        write(path, storage, location, new byte[length]);
    }

    private void write(String path, CrailStorageClass storage, CrailLocationClass location, byte[] bytes)
            throws Exception {
        CrailFile file = create(path, DATAFILE, storage, location).asFile();
        TestClient.append(file, bytes);
    }

    private Set<Integer> datanodesOf(String path) throws Exception {
        Set<Integer> ports = new HashSet<>();
        CrailNode node = client.lookup(path);
        for (CrailBlockLocation location : node.getBlockLocations(0, node.getCapacity())) {
            String name = location.getNames()[0];
            ports.add(Integer.parseInt(name.substring(name.lastIndexOf(':') + 1)));
        }
        return ports;
    }

    private int port(int datanode) {
        return cluster.datanode(datanode).info().getPort();
    }
}
