/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.namenode.block.RegistrationLimits;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.RegisterRequest;
import org.junit.jupiter.api.Test;

/** How much datanodes can make the namenode keep. */
class RegistrationBoundsTest {
    private final Fixture namenode = new Fixture(new RegistrationLimits(3, 5, 4, 100, 60));
    private final DataNodeInfo first = Fixture.datanode("first", 0, 0);
    private final DataNodeInfo second = Fixture.datanode("second", 0, 0);

    private static Region region(int index, int blocks) {
        return new Region(index * 1000L * BLOCK, 0, (long) blocks * BLOCK, 1);
    }

    @Test
    void shouldBoundTheBlocksOfOneAndOfAll() throws CrailException {
        assertRefused(() -> namenode.register(first, 1, 61), "at most 60 blocks");
        namenode.register(first, 1, region(0, 30));
        assertRefused(() -> namenode.register(first, 1, region(1, 31)), "at most 60 blocks");
        assertThat(namenode.register(first, 1, region(1, 30))).isEqualTo(60);
        assertRefused(() -> namenode.register(second, 1, 41), "all together 100");
        assertThat(namenode.register(second, 1, 40)).isEqualTo(40);
        namenode.check();
    }

    @Test
    void shouldCountNothingOfALifeThatIsReplaced() throws CrailException {
        namenode.register(first, 1, 60);
        namenode.register(second, 1, 40);
        namenode.service.heartbeat(new HeartbeatRequest(first, 1, true));
        assertThat(namenode.register(first, 2, 60)).isEqualTo(60);
        namenode.check();
    }

    @Test
    void shouldBoundTheRegionsOfOneAndOfAll() throws CrailException {
        Region[] regions = {region(0, 1), region(1, 1), region(2, 1), region(3, 1), region(4, 1)};
        assertRefused(() -> namenode.register(first, 1, regions), "at most 4 regions");
        namenode.register(first, 1, region(0, 1), region(1, 1), region(2, 1));
        assertRefused(() -> namenode.register(second, 1, region(0, 1), region(1, 1), region(2, 1)), "all together 5");
        namenode.register(second, 1, region(0, 1), region(1, 1));
        assertThat(namenode.register(second, 1, region(0, 1), region(1, 1))).isEqualTo(2);
        namenode.check();
    }

    @Test
    void shouldBoundTheDatanodes() throws CrailException {
        for (String host : new String[] {"a", "b", "c"}) {
            namenode.register(Fixture.datanode(host, 0, 0), 1, 1);
        }
        assertRefused(() -> namenode.register(first, 1, 1), "crail.namenode.datanodes");
        namenode.service.heartbeat(new HeartbeatRequest(Fixture.datanode("a", 0, 0), 1, true));
        namenode.register(Fixture.datanode("a", 0, 0), 2, 1);
        namenode.check();
    }

    @Test
    void shouldRefuseLongNamesOfMediaAndControlCharacters() {
        List<Region> regions = List.of(region(0, 1));
        assertRefused(
                () -> namenode.service.register(new RegisterRequest(first, 1, "m".repeat(256), regions)), "255 bytes");
        assertRefused(() -> namenode.register(Fixture.datanode("line\nend", 0, 0), 1, 1), "line?end");
    }

    /** A step that took longer for more blocks would take minutes here. */
    @Test
    void shouldTakeNoLongerForManyBlocks() throws CrailException {
        int blocks = 1 << 28;
        Fixture large = new Fixture(new RegistrationLimits(100, 100, 100, 1L << 40, blocks));
        for (int i = 0; i < 20; i++) {
            DataNodeInfo datanode = Fixture.datanode("dn" + i, 0, 0);
            Region region = new Region(0, 0, (long) blocks * BLOCK, 1);
            assertThat(large.service
                            .register(new RegisterRequest(
                                    datanode, 1, "", 0, Long.MAX_VALUE, i % 2 == 0, List.of(region)))
                            .blocks())
                    .isEqualTo(blocks);
        }
        assertThat(large.extend(large.hiddenFile("/f").file(), 100)).hasSizeGreaterThan(10);
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String reason) {
        assertThatThrownBy(call).isInstanceOf(InvalidRequestException.class).hasMessageContaining(reason);
    }
}
