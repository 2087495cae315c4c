/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that go by themselves. */
class NodeLifetimesTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration NONE = Duration.ZERO;
    private static final DataNodeInfo DATANODE = Fixture.datanode("dn", 0, 0);
    private static final long STEP_MS = Fixture.DATANODE_TIMEOUT_MS / 2;

    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withSharedBlocks(64);
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private void ttl(String path, Duration time) throws CrailException {
        namenode.change(path, StatusChange.ofTimeToLive(time));
    }

    private void end(String path, Duration time) throws CrailException {
        namenode.change(path, StatusChange.ofEnd(time));
    }

    private void closed(String path) throws CrailException {
        FileInfo file = namenode.file(path).file();
        namenode.sync(file, 1);
        namenode.close(file, 1);
    }

    private boolean exists(String path) {
        try {
            return namenode.find(path) != null;
        } catch (CrailException e) {
            assertThat(e.code()).isIn(ErrorCode.NODE_NOT_FOUND, ErrorCode.PARENT_NOT_FOUND);
            return false;
        }
    }

    /** Lets time pass as a namenode sees it that runs all the time. */
    private void pass(Duration time) throws CrailException {
        for (long leftMs = time.toMillis(); leftMs > 0; leftMs -= STEP_MS) {
            namenode.pass(Math.min(leftMs, STEP_MS));
            namenode.heartbeat(DATANODE, 1);
        }
    }

    private ReportResponse report() throws CrailException {
        return namenode.service.report(new ReportRequest(0));
    }

    @Test
    void shouldRemoveAFileAfterItsTime() throws CrailException {
        closed("/f");
        ttl("/f", HOUR);
        pass(HOUR.minusSeconds(1));
        assertThat(exists("/f")).isTrue();
        assertThat(namenode.status("/f").lifetime().remainingMs()).isBetween(1L, 1_000L);
        pass(Duration.ofSeconds(1));
        assertThat(exists("/f")).isFalse();
        assertThat(report().expired()).isEqualTo(1);
        assertThat(report().expiring()).isZero();
    }

    @Test
    void shouldTellAStaleNodeToWhoHoldsAHandle() throws CrailException {
        closed("/f");
        long fd = namenode.info("/f").getFd();
        ttl("/f", HOUR);
        pass(HOUR);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(fd, 0, 1));
    }

    @Test
    void shouldGiveTheBlocksBack() throws CrailException {
        closed("/f");
        ttl("/f", HOUR);
        pass(HOUR);
        namenode.reclaimAll(DATANODE);
        assertThat(namenode.check().free()).isEqualTo(64);
    }

    @Test
    void shouldBeginATimeToLiveAnewWithEachClose() throws CrailException {
        closed("/f");
        ttl("/f", HOUR);
        pass(HOUR.minusMinutes(1));
        long token = namenode.open("/f");
        namenode.sync(namenode.info("/f").getFd(), token, 2, End.CLOSED);
        pass(HOUR.minusMinutes(1));
        assertThat(exists("/f")).isTrue();
        pass(Duration.ofMinutes(1));
        assertThat(exists("/f")).isFalse();
    }

    @Test
    void shouldLetChildrenInheritAndKeepTheContainer() throws CrailException {
        namenode.mkdir("/tmp");
        closed("/tmp/before");
        ttl("/tmp", HOUR);
        closed("/tmp/f");
        namenode.mkdir("/tmp/job");
        closed("/tmp/job/f");
        pass(HOUR.plusMinutes(1));
        assertThat(exists("/tmp/f")).isFalse();
        assertThat(exists("/tmp/job/f")).isFalse();
        assertThat(exists("/tmp/before")).isTrue();
        assertThat(exists("/tmp")).isTrue();
        pass(HOUR);
        assertThat(exists("/tmp/job")).isFalse();
        assertThat(exists("/tmp")).isTrue();
        assertThat(namenode.status("/tmp").lifetime())
                .isEqualTo(new Lifetime(HOUR.toMillis(), Lifetime.ENDLESS, false));
    }

    @Test
    void shouldKeepAContainerThatInheritedAsLongAsSomethingIsInIt() throws CrailException {
        namenode.mkdir("/tmp");
        ttl("/tmp", HOUR);
        namenode.mkdir("/tmp/job");
        closed("/tmp/job/f");
        ttl("/tmp/job/f", NONE);
        pass(HOUR.multipliedBy(5));
        assertThat(exists("/tmp/job/f")).isTrue();
        namenode.remove("/tmp/job/f", false);
        pass(HOUR);
        assertThat(exists("/tmp/job")).isFalse();
    }

    @Test
    void shouldEndATreeAtOnceWithWhatIsInIt() throws CrailException {
        namenode.mkdir("/job");
        namenode.mkdir("/job/a");
        closed("/job/a/f");
        end("/job", HOUR);
        pass(HOUR.minusMinutes(1));
        end("/job", HOUR);
        pass(HOUR.minusMinutes(1));
        assertThat(exists("/job/a/f")).isTrue();
        pass(Duration.ofMinutes(2));
        assertThat(exists("/job")).isFalse();
    }

    @Test
    void shouldNotTakeAFileFromItsWriter() throws CrailException {
        namenode.mkdir("/tmp");
        ttl("/tmp", Duration.ofSeconds(5));
        FileInfo file = namenode.file("/tmp/f").file();
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofSeconds(1));
            namenode.sync(file, 1);
        }
        namenode.close(file, 1);
        assertThat(exists("/tmp/f")).isTrue();
        pass(Duration.ofSeconds(6));
        assertThat(exists("/tmp/f")).isFalse();
    }

    @Test
    void shouldGiveEachPutItsTime() throws CrailException {
        namenode.table("/t");
        ttl("/t", HOUR);
        FileInfo first = namenode.put("/t/k").file();
        namenode.close(first, 1);
        pass(HOUR.minusMinutes(1));
        FileInfo second = namenode.put("/t/k").file();
        namenode.close(second, 2);
        pass(Duration.ofMinutes(2));
        assertThat(namenode.info("/t/k").getCapacity()).isEqualTo(2);
        pass(HOUR);
        assertThat(exists("/t/k")).isFalse();
    }

    @Test
    void shouldTakeTheTimeToLiveOfTheCreateBeforeThatOfTheParent() throws CrailException {
        namenode.mkdir("/tmp");
        ttl("/tmp", HOUR);
        FileInfo file = namenode.service
                .create(new CreateRequest(
                        CrailPath.parse("/tmp/f"), CrailNodeType.DATAFILE, -1, -1, true, false, null, 0))
                .file();
        namenode.close(file, 1);
        pass(HOUR.multipliedBy(2));
        assertThat(exists("/tmp/f")).isTrue();
    }

    @Test
    void shouldKeepItsTimeWhenItMoves() throws CrailException {
        closed("/f");
        ttl("/f", HOUR);
        namenode.service.move(new MoveRequest(CrailPath.parse("/f"), CrailPath.parse("/g"), MoveMode.INTO));
        pass(HOUR);
        assertThat(exists("/g")).isFalse();
    }

    @Test
    void shouldEndNothingForTimeInWhichTheNamenodeStoodStill() throws CrailException {
        closed("/f");
        end("/f", HOUR);
        namenode.clock.advanceMs(HOUR.multipliedBy(3).toMillis());
        namenode.service.reclaim();
        namenode.service.reclaim();
        assertThat(exists("/f")).isTrue();
    }

    @Test
    void shouldRefuseWhatNoNodeCanHave() {
        assertFails(ErrorCode.INVALID_REQUEST, () -> end("/", HOUR));
        assertFails(
                ErrorCode.INVALID_REQUEST,
                () -> namenode.change(
                        "/", new StatusChange(null, null, -1, StatusChange.KEEP_TIME, StatusChange.KEEP_TIME, -2, -1)));
        assertFails(
                ErrorCode.INVALID_REQUEST,
                () -> namenode.change(
                        "/",
                        new StatusChange(
                                null,
                                null,
                                -1,
                                StatusChange.KEEP_TIME,
                                StatusChange.KEEP_TIME,
                                Lifetime.MOST_MS + 1,
                                -1)));
    }

    @Test
    void shouldKeepAnEndThatWasSetThroughClosesAndOtherSettings() throws CrailException {
        namenode.mkdir("/tmp");
        ttl("/tmp", HOUR);
        FileInfo file = namenode.file("/tmp/f").file();
        end("/tmp/f", HOUR.multipliedBy(8));
        namenode.close(file, 1);
        pass(HOUR.multipliedBy(2));
        assertThat(exists("/tmp/f")).isTrue();
        ttl("/tmp/f", NONE);
        pass(HOUR.multipliedBy(6));
        assertThat(exists("/tmp/f")).isFalse();
    }

    @Test
    void shouldGoOnWithItsTimeToLiveWhenItsEndIsTakenBack() throws CrailException {
        closed("/f");
        ttl("/f", HOUR);
        end("/f", HOUR.multipliedBy(8));
        assertThat(namenode.status("/f").lifetime().hasEnd()).isTrue();
        end("/f", NONE);
        assertThat(namenode.status("/f").lifetime()).isEqualTo(new Lifetime(HOUR.toMillis(), HOUR.toMillis(), false));
        pass(HOUR);
        assertThat(exists("/f")).isFalse();
    }

    @Test
    void shouldKeepAContainerThatInheritedWhileANodeIsWrittenThatReplacesItsOnlyOne() throws CrailException {
        namenode.mkdir("/tmp");
        ttl("/tmp", Duration.ofSeconds(5));
        namenode.create("/tmp/t", CrailNodeType.TABLE);
        FileInfo first = namenode.put("/tmp/t/k").file();
        namenode.close(first, 1);
        FileInfo second = namenode.put("/tmp/t/k").file();
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofSeconds(1));
            namenode.map(second.getFd(), second.getToken(), 0, 1);
        }
        assertThat(exists("/tmp/t/k")).isFalse();
        namenode.close(second, 2);
        assertThat(namenode.info("/tmp/t/k").getCapacity()).isEqualTo(2);
        pass(Duration.ofSeconds(12));
        assertThat(exists("/tmp/t")).isFalse();
    }

    @Test
    void shouldForgetTimesOfRemovedNodes() throws CrailException {
        namenode.mkdir("/tmp");
        ttl("/tmp", HOUR);
        closed("/tmp/f");
        closed("/tmp/g");
        assertThat(report().expiring()).isEqualTo(2);
        namenode.remove("/tmp", true);
        namenode.service.reclaim();
        assertThat(report().expiring()).isZero();
    }
}
