/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.EXPIRATION_MS;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RegisterResponse;
import org.junit.jupiter.api.Test;

/** Which epochs blocks get, and when clients of a former namenode may still use them. */
class BlockEpochsTest {
    private final Fixture namenode = new Fixture();
    private final DataNodeInfo datanode = Fixture.datanode("dn", 0, 0);
    private final List<Region> regions = List.of(new Region(0, 0, 4L * BLOCK, 1));

    private RegisterResponse register(long epochAfter, long epochLimit, boolean inUse) throws CrailException {
        return namenode.service.register(new RegisterRequest(datanode, 1, "", epochAfter, epochLimit, inUse, regions));
    }

    @Test
    void shouldAddNothingBeforeTheDatanodeAdmitsItsEpochs() throws CrailException {
        RegisterResponse first = register(0, 0, false);
        assertThat(first.blocks()).isZero();
        assertThat(namenode.check().registered()).isZero();
        assertFails(ErrorCode.DATANODE_NOT_REGISTERED, () -> namenode.heartbeat(datanode, 1));

        assertThat(register(0, first.epochLimit(), false)).isEqualTo(new RegisterResponse(4, first.epochLimit()));
        assertThat(namenode.hiddenFile("/f").firstBlock().epoch()).isPositive().isLessThanOrEqualTo(first.epochLimit());
    }

    @Test
    void shouldGiveEpochsAboveThoseThatTheDatanodeKnows() throws CrailException {
        long known = register(0, 0, false).epochLimit() + (7_200_000L << 20); // of a namenode whose clock was ahead
        RegisterResponse answer = register(known, known, false);
        assertThat(answer.blocks()).isZero();
        register(known, answer.epochLimit(), false);
        assertThat(namenode.hiddenFile("/f").firstBlock().epoch())
                .isGreaterThan(known)
                .isLessThanOrEqualTo(answer.epochLimit());
    }

    @Test
    void shouldRefuseEpochsBehindWhichNoneAreLeft() {
        assertFails(ErrorCode.INVALID_REQUEST, () -> register(Long.MAX_VALUE - 5, Long.MAX_VALUE, false));
        assertFails(ErrorCode.INVALID_REQUEST, () -> register(-1, Long.MAX_VALUE, false));
    }

    @Test
    void shouldLetBlocksWaitThatClientsOfAFormerNamenodeMayWriteTo() throws CrailException {
        register(0, Long.MAX_VALUE, true);
        assertThat(namenode.check().pending()).isEqualTo(4);
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.hiddenFile("/f"));
        namenode.clock.advanceMs(EXPIRATION_MS - 1);
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.hiddenFile("/f"));
        namenode.clock.advanceMs(1);
        namenode.hiddenFile("/f");
        assertThat(namenode.check().free()).isEqualTo(3);
    }
}
