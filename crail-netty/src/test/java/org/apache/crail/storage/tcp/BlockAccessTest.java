/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.FileRegion;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.ReferenceCounted;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.storage.file.DataDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a mapped block is given to a channel: its pages, or its bytes. */
class BlockAccessTest {
    private static final int BLOCK = 1 << 20;
    private static final int LEAST_BY_PAGES = 64 * 1024;

    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private final Channel local = new NioDomainSocketChannel();
    private final Channel tcp = new NioSocketChannel();
    private TierFixture fixture;
    private MappedRegion region;
    private Optional<FileChannel> pages;

    @BeforeEach
    void makeRegion() throws Exception {
        fixture = new TierFixture(dataPath, false).start();
        DataDirectory directory = fixture.server.directory();
        region = directory.createRegion(2L * BLOCK, BLOCK);
        pages = directory.openPages(region);
    }

    @AfterEach
    void close() {
        local.unsafe().closeForcibly();
        tcp.unsafe().closeForcibly();
        fixture.close();
    }

    private ReferenceCounted content(int length, Optional<FileChannel> file, Channel channel) throws Exception {
        TransferRequest request = new TransferRequest(false, 1, 0, BLOCK, BLOCK, 1, 3, length);
        return new BlockAccess(request, region, file, BlockFence.inProcess(region.blocks())).content(channel);
    }

    @Test
    void shouldGiveALocalSocketThePagesOfALongRange() throws Exception {
        FileRegion sent = (FileRegion) content(LEAST_BY_PAGES, pages, local);
        assertThat(sent.position()).isEqualTo(BLOCK + 3);
        assertThat(sent.count()).isEqualTo(LEAST_BY_PAGES);
        sent.release();
        ByteBuffer found = ByteBuffer.allocate(8);
        region.slice(BLOCK + 3, 8).putLong(7);
        pages.orElseThrow().read(found, BLOCK + 3);
        assertThat(found.getLong(0))
                .as("the file stays open, and is the region's")
                .isEqualTo(7);
    }

    @Test
    void shouldGiveAllOthersItsBytes() throws Exception {
        region.slice(BLOCK + 3, 8).putLong(7);
        for (ReferenceCounted sent : new ReferenceCounted[] {
            content(LEAST_BY_PAGES - 1, pages, local),
            content(BLOCK - 3, pages, tcp),
            content(BLOCK - 3, Optional.empty(), local)
        }) {
            assertThat(((ByteBuf) sent).getLong(0)).isEqualTo(7);
            sent.release();
        }
    }

    @Test
    void shouldHaveNoFileOpenOnceItsDirectoryIsClosed() throws Exception {
        fixture.close();
        assertThat(pages.orElseThrow().isOpen()).isFalse();
        assertThat(fixture.server.directory().openPages(region)).isEmpty();
    }
}
