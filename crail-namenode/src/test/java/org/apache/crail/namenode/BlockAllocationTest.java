/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.datanode;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.namenode.block.BlockSelection;
import org.junit.jupiter.api.Test;

class BlockAllocationTest {
    private static List<String> hosts(List<BlockInfo> blocks) {
        return blocks.stream().map(block -> block.getDnInfo().host()).toList();
    }

    private static List<String> allocate(Fixture namenode, int storageClass, int locationClass, int blocks)
            throws CrailException {
        return hosts(namenode.extend(
                namenode.create("/a", CrailNodeType.DATAFILE, storageClass, locationClass, false)
                        .file(),
                blocks));
    }

    private static Fixture threeOfEach(BlockSelection selection) throws CrailException {
        Fixture namenode = new Fixture(selection, new ManualClock());
        for (String host : List.of("a", "b", "c")) {
            namenode.register(datanode(host, 0, host.charAt(0)), 1, 3);
        }
        return namenode;
    }

    @Test
    void shouldTakeDatanodesInTurn() throws CrailException {
        assertThat(allocate(threeOfEach(BlockSelection.ROUNDROBIN), 0, 0, 9))
                .containsExactly("a", "b", "c", "a", "b", "c", "a", "b", "c");
    }

    @Test
    void shouldFillOneDatanodeAfterTheOtherWhenSequential() throws CrailException {
        assertThat(allocate(threeOfEach(BlockSelection.SEQUENTIAL), 0, 0, 9))
                .containsExactly("a", "a", "a", "b", "b", "b", "c", "c", "c");
    }

    @Test
    void shouldUseAllDatanodesWhenRandom() throws CrailException {
        List<String> hosts = allocate(threeOfEach(BlockSelection.RANDOM), 0, 0, 9);
        for (String host : List.of("a", "b", "c")) {
            assertThat(Collections.frequency(hosts, host)).isEqualTo(3);
        }
    }

    @Test
    void shouldPreferTheWishedLocationThenAny() throws CrailException {
        List<String> hosts = allocate(threeOfEach(BlockSelection.ROUNDROBIN), 0, 'b', 9);
        assertThat(hosts.subList(0, 3)).containsOnly("b");
        assertThat(hosts.subList(3, 9)).containsOnly("a", "c");
    }

    /** D15: the location class of the parent counts where a node has none of its own. */
    @Test
    void shouldPreferTheLocationOfTheParent() throws CrailException {
        Fixture namenode = threeOfEach(BlockSelection.ROUNDROBIN);
        namenode.create("/d", CrailNodeType.DIRECTORY, -1, 'c', false);
        BlockInfo block =
                namenode.create("/d/a", CrailNodeType.DATAFILE, -1, -1, false).firstBlock();
        assertThat(block.getDnInfo().host()).isEqualTo("c");
    }

    @Test
    void shouldTryTheWishedClassThenAllInOrder() throws CrailException {
        Fixture namenode = new Fixture();
        namenode.register(datanode("flash", 2, 0), 1, 2);
        namenode.register(datanode("dram", 0, 0), 1, 2);
        namenode.register(datanode("optane", 1, 0), 1, 2);
        assertThat(allocate(namenode, 1, 0, 6)).containsExactly("optane", "optane", "dram", "dram", "flash", "flash");
    }

    @Test
    void shouldPreferTheClassToTheLocation() throws CrailException {
        Fixture namenode = new Fixture();
        namenode.register(datanode("near", 1, 5), 1, 2);
        namenode.register(datanode("far", 0, 6), 1, 2);
        assertThat(allocate(namenode, 0, 5, 4)).containsExactly("far", "far", "near", "near");
    }

    @Test
    void shouldGoOnInTurnAfterADatanodeRestarted() throws CrailException {
        Fixture namenode = threeOfEach(BlockSelection.ROUNDROBIN);
        namenode.stop(datanode("b", 0, 'b'), 1);
        namenode.register(datanode("b", 0, 'b'), 2, 3);
        List<String> hosts = new ArrayList<>(allocate(namenode, 0, 0, 9));
        Collections.sort(hosts);
        assertThat(hosts).containsExactly("a", "a", "a", "b", "b", "b", "c", "c", "c");
        namenode.check();
    }
}
