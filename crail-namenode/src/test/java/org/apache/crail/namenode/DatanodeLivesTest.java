/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.DATANODE_TIMEOUT_MS;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeReplacedException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.internal.Incarnation;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.message.ForgetRequest;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.ReportRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several datanodes under one address, and which of them is let in. */
class DatanodeLivesTest {
    private final Fixture namenode = new Fixture();
    private final DataNodeInfo datanode = Fixture.datanode("dn", 0, 0);

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private FileInfo fileOf(long incarnation) throws CrailException {
        namenode.register(datanode, incarnation, 8);
        return namenode.hiddenFile("/f").file();
    }

    private void assertIntact(FileInfo file, long incarnation) throws CrailException {
        assertThat(namenode.heartbeat(datanode, incarnation)).isEqualTo(7);
        assertThat(namenode.read(file.getFd(), 0, 1)).hasSize(1);
        assertThat(namenode.check().lost()).isZero();
    }

    @Test
    void shouldRefuseASecondDatanodeUnderALiveOnesAddressAndNameBoth() throws CrailException {
        FileInfo file = fileOf(5L << 20);
        assertThatThrownBy(() -> namenode.register(datanode, 6L << 20, 8))
                .isInstanceOf(AddressTakenException.class)
                .hasMessageContaining(datanode.address())
                .hasMessageContaining(Incarnation.text(5L << 20))
                .hasMessageContaining(Incarnation.text(6L << 20))
                .hasMessageContaining("give each a port");
        assertFails(ErrorCode.DATANODE_NOT_REGISTERED, () -> namenode.heartbeat(datanode, 6L << 20));
        assertIntact(file, 5L << 20);
    }

    @Test
    void shouldTellADatanodeThatComesBackToEndWhenAnotherHasItsPlace() throws CrailException {
        namenode.register(datanode, 5, 8);
        namenode.pass(DATANODE_TIMEOUT_MS + 1);
        FileInfo file = fileOf(6);

        assertThatThrownBy(() -> namenode.heartbeat(datanode, 5)).isInstanceOf(DatanodeReplacedException.class);
        assertFails(ErrorCode.DATANODE_REPLACED, () -> namenode.register(datanode, 5, 8));
        assertIntact(file, 6);

        namenode.pass(DATANODE_TIMEOUT_MS + 1);
        assertFails(ErrorCode.DATANODE_REPLACED, () -> namenode.register(datanode, 5, 8));
        assertIntact(file, 6);
    }

    @Test
    void shouldChangeNothingForARegistrationWithoutRegions() throws CrailException {
        FileInfo file = fileOf(5);
        assertFails(ErrorCode.ADDRESS_TAKEN, () -> namenode.register(datanode, 6));
        assertThat(namenode.register(datanode, 5)).isEqualTo(8);
        DataNodeInfo stranger = Fixture.datanode("stranger", 0, 0);
        assertThat(namenode.register(stranger, 5)).isZero();
        assertThat(namenode.service.report(new ReportRequest()).datanodes()).hasSize(1);
        namenode.pass(DATANODE_TIMEOUT_MS + 1);
        assertThat(namenode.register(datanode, 6)).isZero();
        assertThat(namenode.reportOf(datanode).live()).isFalse();
        assertIntact(file, 5);
    }

    @Test
    void shouldLetASuccessorInAtOnceWhenTheFormerHasSignedOff() throws CrailException {
        namenode.register(datanode, 5, 8);
        namenode.service.heartbeat(new HeartbeatRequest(datanode, 5, true));
        assertThat(namenode.register(datanode, 6, 4)).isEqualTo(4);
    }

    @Test
    void shouldLetTheSameLifeInAtOnce() throws CrailException {
        FileInfo file = fileOf(5);
        assertThat(namenode.register(datanode, 5, new Region(0, 700, 8L * BLOCK, 3)))
                .isEqualTo(8);
        assertIntact(file, 5);
    }

    @Test
    void shouldUseIndexesOfLivesAgainThatHoldNothing() throws CrailException {
        for (int life = 1; life < 1_100_000; life++) { // more than there are indexes
            namenode.register(datanode, life, 1);
            namenode.service.heartbeat(new HeartbeatRequest(datanode, life, true));
        }
        assertThat(namenode.check().registered()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheIndexOfALostLifeUntilItsLastBlockIsGone() throws CrailException {
        FileInfo lost = fileOf(5);
        namenode.extend(lost, 3);
        namenode.service.heartbeat(new HeartbeatRequest(datanode, 5, true));
        namenode.register(datanode, 6, 8);
        DataNodeInfo other = Fixture.datanode("other", 0, 0);
        namenode.register(other, 1, 8);
        assertFails(ErrorCode.DATANODE_LOST, () -> namenode.read(lost.getFd(), 0, 3));
        assertThat(namenode.check().lost()).isEqualTo(3);

        namenode.remove("/f", false);
        namenode.reclaimAll();
        namenode.register(Fixture.datanode("third", 0, 0), 1, 8);

        assertThat(namenode.check().lost()).isZero();
        FileInfo file = namenode.hiddenFile("/g").file();
        assertThat(namenode.extend(file, 24)).hasSize(24);
    }

    @Test
    void shouldForgetASilentDatanodeByCommandAndNoLiveOne() throws CrailException {
        FileInfo file = fileOf(5);
        ForgetRequest forget = new ForgetRequest(datanode.address());
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.service.forget(forget));
        assertFails(ErrorCode.DATANODE_NOT_REGISTERED, () -> namenode.service.forget(new ForgetRequest("nobody:1")));
        namenode.pass(DATANODE_TIMEOUT_MS + 1);

        assertThat(namenode.service.forget(forget).lostBlocks()).isEqualTo(1);

        assertThat(namenode.service.report(new ReportRequest()).datanodes()).isEmpty();
        assertThatThrownBy(() -> namenode.read(file.getFd(), 0, 1)).hasMessageContaining("was forgotten");
        assertFails(ErrorCode.DATANODE_NOT_REGISTERED, () -> namenode.heartbeat(datanode, 5));
        assertThat(namenode.register(datanode, 4, 8)).isEqualTo(8); // also with a clock that was set back
        namenode.remove("/f", false);
    }

    @Test
    void shouldForgetADatanodeThatHasBeenSilentForVeryLong() throws CrailException {
        namenode.register(datanode, 5, 8);
        namenode.pass(Fixture.FORGET_MS);
        assertThat(namenode.reportOf(datanode).live()).isFalse();
        namenode.pass(Fixture.DATANODE_TIMEOUT_MS);
        assertThat(namenode.service.report(new ReportRequest()).datanodes()).isEmpty();
    }
}
