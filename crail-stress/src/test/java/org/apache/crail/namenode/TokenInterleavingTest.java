/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.interleaving.Interleavings;
import org.apache.crail.interleaving.ManualSurroundings;
import org.apache.crail.interleaving.Threads;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.SyncRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Write tokens that are renewed, given back and taken over at the same time, while others look at the file. */
@Tag("fray")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TokenInterleavingTest {
    private static final int TIMES = 1_000;
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 8;
    private static final int WRITTEN_BLOCKS = 3;
    private static final long TOKEN_MS = 60_000;

    /** A namenode with a file that somebody writes. */
    private static final class Written implements Interleavings.Fixture {
        private final ManualSurroundings surroundings = new ManualSurroundings();
        private final CrailPath path = CrailPath.parse("/f");
        private final NameNodeService service;
        private final FileInfo file;

        Written() throws CrailException {
            CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
            conf.set("crail.blocksize", Integer.toString(BLOCK));
            conf.set("crail.smallblocksize", "0");
            conf.set("crail.tokenexpiration", TOKEN_MS + "ms");
            conf.set("crail.storage.keepalive", "1h");
            service = new NameNodeService(NamenodeSettings.of(conf, 1), surroundings);
            service.register(new RegisterRequest(
                    new DataNodeInfo(0, 0, 0, "localhost", 1), 1, List.of(new Region(0, 0, (long) BLOCKS * BLOCK, 1))));
            file = service.create(new CreateRequest(path, CrailNodeType.DATAFILE, 0, 0, false))
                    .file();
            assertThat(map(file.getToken()).blocks()).hasSize(WRITTEN_BLOCKS);
        }

        MapResponse map(long token) throws CrailException {
            return service.map(new MapRequest(file.getFd(), token, 0, WRITTEN_BLOCKS));
        }

        FileInfo look() throws CrailException {
            return service.lookup(new LookupRequest(path, false)).file();
        }

        void take() throws CrailException {
            assertThat(service.lookup(new LookupRequest(path, true)).file().getToken())
                    .isNotZero();
        }

        void sync(long capacity, SyncRequest.End end) throws CrailException {
            service.sync(new SyncRequest(file.getFd(), file.getToken(), capacity, end));
        }

        /** Looks at the books. */
        @Override
        public void end() throws Exception {
            assertThat(service.check(new CheckRequest()).problems()).isEmpty();
            surroundings.end();
        }
    }

    /** Whether a call ended well; it may fail with one error. */
    private static boolean succeeds(Threads.Body call, ErrorCode allowed) throws Exception {
        try {
            call.run();
            return true;
        } catch (CrailException e) {
            assertThat(e.code()).isEqualTo(allowed);
            return false;
        }
    }

    @Test
    void shouldGiveATokenThatHasExpiredToOneOfThoseWhoUseOrTakeIt() {
        Interleavings.explore(TIMES, Written::new, namenode -> {
            namenode.surroundings.pass(TOKEN_MS);
            AtomicInteger holders = new AtomicInteger();
            Threads.Body take = () -> count(holders, succeeds(namenode::take, ErrorCode.TOKEN_TAKEN));
            new Threads()
                    .add(
                            "renewal",
                            () -> count(
                                    holders,
                                    succeeds(() -> namenode.sync(0, SyncRequest.End.NONE), ErrorCode.TOKEN_MISMATCH)))
                    .add("one", take)
                    .add("other", take)
                    .add("reclaim", namenode.service::reclaim)
                    .run();
            assertThat(holders).hasValue(1);
        });
    }

    private static void count(AtomicInteger holders, boolean isHolder) {
        holders.addAndGet(isHolder ? 1 : 0);
    }

    @Test
    void shouldShowCloseAsAWholeAndGiveTheTokenBackOnce() {
        Interleavings.explore(TIMES, Written::new, namenode -> {
            FileInfo before = namenode.look();
            AtomicInteger holders = new AtomicInteger();
            Threads.Body take = () -> count(holders, succeeds(namenode::take, ErrorCode.TOKEN_TAKEN));
            new Threads()
                    .add("close", () -> namenode.sync(BLOCK, SyncRequest.End.CLOSED))
                    .add("looking", () -> {
                        FileInfo seen = namenode.look();
                        assertThat(seen.layout() > before.layout())
                                .isEqualTo(seen.getCapacity() > before.getCapacity());
                    })
                    .add("mapping", () -> {
                        MapResponse seen = namenode.map(0);
                        assertThat(seen.blocks()).hasSize(seen.layout() > before.layout() ? 1 : WRITTEN_BLOCKS);
                    })
                    .add("one", take)
                    .add("other", take)
                    .run();
            assertThat(holders).hasValueLessThanOrEqualTo(1);
            FileInfo after = namenode.look();
            assertThat(after.getCapacity()).isEqualTo(BLOCK);
            assertThat(after.layout()).isGreaterThan(before.layout());
        });
    }
}
