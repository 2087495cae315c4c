/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.RECORD;
import static org.apache.crail.namenode.Fixture.RECORDS_PER_BLOCK;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.OccupantsRequest;
import org.apache.crail.rpc.message.SlotsRequest;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContainerRecordsTest {
    private Fixture namenode;
    private long directory;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(3000);
        directory = namenode.mkdir("/d").file().getFd();
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private void fill(int files) throws CrailException {
        for (int i = 0; i < files; i++) {
            namenode.file("/d/" + i);
        }
    }

    /** D19: freed slots are used again, the lowest first. */
    @Test
    void shouldUseFreedSlotsAgain() throws CrailException {
        fill(20);
        namenode.remove("/d/7", false);
        namenode.remove("/d/3", false);
        assertThat(namenode.slots(directory).get(3)).isZero();
        assertThat(namenode.info("/d").children()).isEqualTo(18);
        assertThat(namenode.info("/d").getCapacity()).isEqualTo(20L * RECORD);

        assertThat(namenode.file("/d/a").file().slot()).isEqualTo(3);
        assertThat(namenode.file("/d/b").file().slot()).isEqualTo(7);
        assertThat(namenode.file("/d/c").file().slot()).isEqualTo(20);
    }

    /** D19: a container shrinks with its children and gives blocks back. */
    @Test
    void shouldShrinkWithItsChildren() throws CrailException {
        fill(10 * RECORDS_PER_BLOCK);
        assertThat(namenode.read(directory, 0, 100)).hasSize(10);
        for (int i = 10 * RECORDS_PER_BLOCK - 1; i >= 1; i--) {
            namenode.remove("/d/" + i, false);
        }
        assertThat(namenode.info("/d").getCapacity()).isEqualTo(RECORD);
        assertThat(namenode.read(directory, 0, 100)).hasSize(2);
        namenode.remove("/d/0", false);
        assertThat(namenode.info("/d").getCapacity()).isZero();
        assertThat(namenode.read(directory, 0, 100)).hasSize(1);
    }

    /** D19: a container whose children come and go takes no more blocks than it needs at once. */
    @Test
    void shouldNotGrowWhenChildrenComeAndGo() throws CrailException {
        for (int i = 0; i < 1000; i++) {
            namenode.file("/d/" + i);
            namenode.remove("/d/" + i, false);
        }
        assertThat(namenode.read(directory, 0, 100)).hasSize(1);
    }

    @Test
    void shouldTellWhichNodesLiveInSlots() throws CrailException {
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            expected.add(Fixture.key(namenode.file("/d/" + i).file(), Integer.toString(i)));
        }
        List<Long> found = new ArrayList<>();
        long[] page;
        do {
            page = namenode.service
                    .slots(new SlotsRequest(directory, found.size(), Integer.MAX_VALUE))
                    .keys();
            for (long key : page) {
                found.add(key);
            }
        } while (page.length > 0);
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldNameTheChildrenThatLiveInSlots() throws CrailException {
        fill(4);
        namenode.hiddenFile("/d/hidden");
        namenode.remove("/d/1", false);

        assertThat(occupants(0, Integer.MAX_VALUE)).containsExactly("0", "2", "3");
        assertThat(occupants(1, 2)).containsExactly("2");
        assertThat(occupants(4, 1)).isEmpty();
        assertThat(occupants(Integer.MAX_VALUE, Integer.MAX_VALUE)).isEmpty();
        assertFails(ErrorCode.INVALID_REQUEST, () -> occupants(0, 0));
        assertFails(ErrorCode.INVALID_REQUEST, () -> occupants(-1, 1));
    }

    @Test
    void shouldNameAsManyChildrenAsFitAMessage() throws CrailException {
        String longName = "n".repeat(250);
        for (int i = 1000; i < 3000; i++) {
            namenode.file("/d/" + longName + i);
        }
        int named = 0;
        List<String> page = occupants(0, Integer.MAX_VALUE);
        while (!page.isEmpty()) {
            assertThat(page).startsWith(longName + (1000 + named));
            named += page.size();
            page = occupants(named, Integer.MAX_VALUE);
        }
        assertThat(named).isEqualTo(2000);
    }

    private List<String> occupants(int firstSlot, int count) throws CrailException {
        return namenode.service.occupants(new OccupantsRequest(directory, firstSlot, count)).children().stream()
                .map(NodeStatus::name)
                .toList();
    }

    @Test
    void shouldRejectSlotsOfWhatIsNoContainer() throws CrailException {
        long file = namenode.file("/f").file().getFd();
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.slots(file));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.slots(999));
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.service.slots(new SlotsRequest(directory, -1, 1)));
        namenode.remove("/d", true);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.slots(directory));
    }

    @Test
    void shouldListAllChildrenPageByPage() throws CrailException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            String name = "f" + i;
            expected.add(name);
            if (i % 2 == 0) {
                namenode.file("/d/" + name);
            } else {
                namenode.hiddenFile("/d/" + name);
            }
        }
        assertThat(namenode.children("/d", 7)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(namenode.children("/d", 10_000)).isEqualTo(namenode.children("/d", 7));
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.children("/no", 1));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.children("/d/f0", 1));
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.children("/d", 0));
    }

    @Test
    void shouldKeepPagesOfLongNamesWithinAMessage() throws CrailException {
        for (int i = 0; i < 400; i++) {
            namenode.file("/d/" + "x".repeat(250) + i);
        }
        ChildrenResponse page =
                namenode.service.children(new ChildrenRequest(CrailPath.parse("/d"), "", Integer.MAX_VALUE));
        assertThat(page.encodedLength()).isLessThan(RpcTransport.MAX_MESSAGE_BYTES - 64);
        assertThat(namenode.children("/d", 1000)).hasSize(400);
    }

    @Test
    void shouldKeepPagesOfManyOwnersWithinAMessage() throws CrailException {
        for (int i = 0; i < 400; i++) {
            String owner = "abcdefgh".charAt(i % 8) + "x".repeat(250);
            namenode.replaceFile("/d/" + i, new Ownership(owner, owner, 0644));
        }
        ChildrenResponse page =
                namenode.service.children(new ChildrenRequest(CrailPath.parse("/d"), "", Integer.MAX_VALUE));
        assertThat(page.encodedLength()).isLessThan(RpcTransport.MAX_MESSAGE_BYTES - 64);
        assertThat(namenode.children("/d", 1000)).hasSize(400);
    }

    /** D9: a container whose records were lost with a datanode can be listed again once they are written anew. */
    @Test
    void shouldGiveANewBlockForRecordsThatWereLost() throws CrailException {
        Fixture small = new Fixture();
        DataNodeInfo datanode = Fixture.datanode("first", 0, 0);
        small.register(datanode, 1, 4);
        small.mkdir("/a");
        long root = small.info("/").getFd();
        small.pass(Fixture.DATANODE_TIMEOUT_MS + 1);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> small.map(root, MapRequest.REPAIR, 0, 9));
        small.register(datanode, 2, 2);
        assertFails(ErrorCode.DATANODE_LOST, () -> small.read(root, 0, 1));

        assertThat(small.map(root, MapRequest.REPAIR, 0, 9)).hasSize(1).isEqualTo(small.read(root, 0, 9));
        assertThat(small.map(root, MapRequest.REPAIR, 0, 9)).isEqualTo(small.read(root, 0, 9));
        assertThat(small.check().allocated()).isEqualTo(1);
        assertThat(small.check().lost()).isZero();
        assertThat(small.mkdir("/b").file().slot()).isEqualTo(1);
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> small.map(root, MapRequest.REPAIR, Fixture.BLOCK, 1));
        long file = small.file("/f").file().getFd();
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> small.map(file, MapRequest.REPAIR, 0, 1));
    }

    @Test
    void shouldCreateNodesWhileTheBlockOfFreeSlotsCannotBeReached() throws CrailException {
        Fixture two = new Fixture();
        DataNodeInfo first = Fixture.datanode("first", 0, 0);
        DataNodeInfo second = Fixture.datanode("second", 0, 0);
        two.register(first, 1, 1);
        two.create("/h", CrailNodeType.DIRECTORY);
        assertThat(two.find("/").firstBlock().getDnInfo()).isEqualTo(first);
        two.pass(Fixture.DATANODE_TIMEOUT_MS + 1);
        two.register(second, 1, 10);

        var created = two.file("/a");
        assertThat(created.file().slot()).isEqualTo(RECORDS_PER_BLOCK);
        assertThat(created.record().block().getDnInfo()).isEqualTo(second);
        assertFails(ErrorCode.DATANODE_LOST, () -> two.read(two.info("/").getFd(), 0, 1));

        two.heartbeat(first, 1);
        assertThat(two.file("/b").file().slot()).isEqualTo(1);
        assertThat(two.read(two.info("/").getFd(), 0, 2)).hasSize(2);
        two.check();
    }
}
