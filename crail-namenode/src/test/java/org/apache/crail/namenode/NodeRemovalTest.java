/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.RemoveResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeRemovalTest {
    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(100);
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    @Test
    void shouldAnswerWithTheNodeAsItWas() throws CrailException {
        FileInfo file = namenode.file("/a").file();
        namenode.close(file, 42);
        RemoveResponse removed = namenode.remove("/a", false);
        assertThat(removed.file().getFd()).isEqualTo(file.getFd());
        assertThat(removed.file().getCapacity()).isEqualTo(42);
        assertThat(removed.parentFd()).isEqualTo(namenode.info("/").getFd());
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/a"));
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.remove("/a", false));
    }

    /** D2: a container with children is removed only recursively. */
    @Test
    void shouldRefuseToRemoveAContainerWithChildrenUnlessRecursive() throws CrailException {
        namenode.mkdir("/d");
        FileInfo file = namenode.file("/d/f").file();
        assertFails(ErrorCode.NOT_EMPTY, () -> namenode.remove("/d", false));
        assertThat(namenode.info("/d/f").getFd()).isEqualTo(file.getFd());
        assertThat(namenode.read(file.getFd(), 0, 1)).hasSize(1);

        namenode.remove("/d", true);
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/d/f"));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(file.getFd(), 0, 1));
    }

    /** D2: children that are not enumerable count too. */
    @Test
    void shouldCountHiddenChildren() throws CrailException {
        namenode.mkdir("/d");
        namenode.hiddenFile("/d/f");
        assertFails(ErrorCode.NOT_EMPTY, () -> namenode.remove("/d", false));
    }

    @Test
    void shouldRemoveAnEmptyContainer() throws CrailException {
        namenode.mkdir("/d");
        namenode.file("/d/f");
        namenode.remove("/d/f", false);
        namenode.remove("/d", false);
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/d"));
    }

    @Test
    void shouldCountNoChildThatIsRemoved() throws CrailException {
        namenode.mkdir("/d");
        namenode.mkdir("/d/e");
        for (int i = 0; i < 20; i++) {
            namenode.file("/d/e/" + i);
        }
        namenode.file("/d/f");
        namenode.hiddenFile("/d/hidden");
        namenode.assertListed("/d", "e", "f");
        assertFails(ErrorCode.NOT_EMPTY, () -> namenode.remove("/d/e", false));
        namenode.assertListed("/d", "e", "f");
        namenode.remove("/d/hidden", false);
        namenode.assertListed("/d", "e", "f");
        assertThat(namenode.remove("/d/e", true).file().children()).isEqualTo(20);
        namenode.assertListed("/d", "f");
        namenode.remove("/d/f", false);
        namenode.assertListed("/d");
        namenode.file("/d/f");
        namenode.assertListed("/d", "f");
        namenode.remove("/d", true);
        namenode.assertListed("/");
    }

    @Test
    void shouldGiveBackTheBlocksOfAllBelowAndNoOthers() throws CrailException {
        namenode.mkdir("/d");
        namenode.mkdir("/d/e");
        for (int i = 0; i < 20; i++) {
            namenode.file("/d/e/" + i);
        }
        namenode.remove("/d", true);
        assertThat(namenode.check().pending()).isEqualTo(20);
        assertThat(namenode.check().allocated()).isZero();
        namenode.reclaimAll(Fixture.datanode("dn", 0, 0));
        assertThat(namenode.check().free()).isEqualTo(100);
    }

    @Test
    void shouldRefuseToRemoveTheRoot() {
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.remove("/", true));
    }

    @Test
    void shouldFreeThePathAtOnce() throws CrailException {
        FileInfo first = namenode.file("/a").file();
        namenode.remove("/a", false);
        FileInfo second = namenode.file("/a").file();
        assertThat(second.getFd()).isNotEqualTo(first.getFd());
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(first.getFd(), 0, 1));
    }
}
