/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writers that name a location which they cannot reach. */
class UnreachableBlockTest {
    private static final DataNodeInfo BAD = Fixture.datanode("dn", 0, 0);
    private static final DataNodeInfo GOOD = Fixture.datanode("good", 0, 0);

    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withSharedBlocks(8);
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private MapResponse goAround(FileInfo file, long position, BlockInfo unreachable) throws CrailException {
        return namenode.service.map(new MapRequest(file.getFd(), file.getToken(), position, 1, unreachable));
    }

    @Test
    void shouldGiveABlockOfAnotherDatanodeInALaterLayout() throws CrailException {
        FileInfo file = namenode.create("/f", CrailNodeType.DATAFILE).file();
        BlockInfo bad =
                namenode.map(file.getFd(), file.getToken(), BLOCK - 1, 3).get(2);
        namenode.register(GOOD, 1, 8);

        MapResponse answer = goAround(file, 2L * BLOCK, bad);

        assertThat(answer.blocks().get(0).getDnInfo()).isEqualTo(GOOD);
        assertThat(answer.layout()).isGreaterThan(file.layout());
        assertThat(namenode.read(file.getFd(), 2L * BLOCK, 1)).isEqualTo(answer.blocks());
        assertThat(namenode.check().pending()).isEqualTo(1);
    }

    @Test
    void shouldAnswerACopyOfTheRequestWithTheSameBlock() throws CrailException {
        CreateResponse created = namenode.create("/f", CrailNodeType.DATAFILE);
        namenode.register(GOOD, 1, 8);
        MapResponse first = goAround(created.file(), 0, created.firstBlock());

        assertThat(goAround(created.file(), 0, created.firstBlock())).isEqualTo(first);
    }

    @Test
    void shouldReplaceAPartOfASharedBlockByAnother() throws CrailException {
        CreateResponse created = namenode.create("/f", CrailNodeType.DATAFILE);
        namenode.register(GOOD, 1, 8);

        BlockInfo other =
                goAround(created.file(), 0, created.firstBlock()).blocks().get(0);

        assertThat(other.getDnInfo()).isEqualTo(GOOD);
        assertThat(other.getLength() - other.start())
                .isEqualTo(
                        created.firstBlock().getLength() - created.firstBlock().start());
    }

    @Test
    void shouldReplaceTheWholeBlockOfANodeThatGrows() throws CrailException {
        CreateResponse created = namenode.create("/f", CrailNodeType.DATAFILE);
        FileInfo file = created.file();
        namenode.sync(file, 10);
        BlockInfo whole =
                namenode.map(file.getFd(), file.getToken(), Fixture.PART, 1).get(0);
        namenode.register(GOOD, 1, 8);

        BlockInfo other = goAround(file, Fixture.PART, whole).blocks().get(0);

        assertThat(other.getDnInfo()).isEqualTo(GOOD);
        assertThat(namenode.find("/f").firstBlock()).isEqualTo(created.firstBlock());
        namenode.close(file, Fixture.PART + 1);
        assertThat(namenode.find("/f").firstBlock()).isEqualTo(other);
    }

    @Test
    void shouldKeepABlockThatHoldsSyncedBytes() throws CrailException {
        CreateResponse created = namenode.create("/f", CrailNodeType.DATAFILE);
        namenode.register(GOOD, 1, 8);
        namenode.sync(created.file(), 1);

        assertThat(goAround(created.file(), 0, created.firstBlock()).blocks()).containsExactly(created.firstBlock());
    }

    @Test
    void shouldKeepABlockIfNoOtherDatanodeHasOne() throws CrailException {
        CreateResponse created = namenode.create("/f", CrailNodeType.DATAFILE);

        assertThat(goAround(created.file(), 0, created.firstBlock()).blocks()).containsExactly(created.firstBlock());
    }

    @Test
    void shouldLetTheWriterWaitForBlocksOfOtherDatanodesThatAreReclaimed() throws CrailException {
        FileInfo file = namenode.create("/f", CrailNodeType.DATAFILE).file();
        FileInfo other = namenode.create("/other", CrailNodeType.DATAFILE).file();
        BlockInfo bad = namenode.extend(file, 2).get(1);
        BlockInfo ofOther = namenode.extend(other, 2).get(1);
        namenode.register(GOOD, 1, 1);
        assertThat(goAround(other, BLOCK, ofOther).blocks().get(0).getDnInfo()).isEqualTo(GOOD);
        namenode.remove("/other", false);

        Fixture.assertFails(ErrorCode.BLOCKS_PENDING, () -> goAround(file, BLOCK, bad));

        namenode.reclaimAll(BAD, GOOD);
        assertThat(goAround(file, BLOCK, bad).blocks().get(0).getDnInfo()).isEqualTo(GOOD);
    }

    @Test
    void shouldKeepTheBlockOfALostDatanodeThatTheWriterDoesNotMean() throws CrailException {
        CreateResponse created = namenode.create("/f", CrailNodeType.DATAFILE);
        namenode.register(GOOD, 1, 8);
        goAround(created.file(), 0, created.firstBlock());
        namenode.stop(GOOD, 1);
        namenode.register(GOOD, 2, 8);

        Fixture.assertFails(ErrorCode.DATANODE_LOST, () -> goAround(created.file(), 0, created.firstBlock()));
    }

    @Test
    void shouldReplaceABlockWhoseDatanodeHasFallenSilent() throws CrailException {
        CreateResponse created = namenode.create("/f", CrailNodeType.DATAFILE);
        namenode.register(GOOD, 1, 8);
        namenode.stop(BAD, 1);

        BlockInfo other =
                goAround(created.file(), 0, created.firstBlock()).blocks().get(0);

        assertThat(other.getDnInfo()).isEqualTo(GOOD);
    }
}
