/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.BufferCache;
import org.junit.jupiter.api.Test;

class RecordBuffersTest {
    private final BufferCache cache;
    private final RecordBuffers buffers;

    RecordBuffersTest() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.buffersize", "2048");
        conf.set("crail.slicesize", "2048");
        cache = BufferCache.createInstance(conf);
        buffers = new RecordBuffers(cache, 512);
    }

    @Test
    void shouldCutBuffersAndGiveThemBackWhenNoPieceIsInUse() throws Exception {
        List<RecordBuffers.Piece> pieces = new ArrayList<>();
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 9; i++) {
            RecordBuffers.Piece piece = buffers.take();
            assertThat(piece.buffer().remaining()).isEqualTo(512);
            pieces.add(piece);
            addresses.add(piece.buffer().address());
        }
        assertThat(addresses).hasSize(9);
        assertThat(cache.buffersInUse()).isEqualTo(3);
        for (RecordBuffers.Piece piece : pieces) {
            buffers.give(piece);
        }
        assertThat(cache.buffersInUse()).isZero();
    }

    @Test
    void shouldUsePiecesAgain() throws Exception {
        RecordBuffers.Piece kept = buffers.take();
        for (int i = 0; i < 100; i++) {
            buffers.give(buffers.take());
        }
        assertThat(cache.buffersInUse()).isEqualTo(1);
        buffers.give(kept);
        assertThat(cache.buffersInUse()).isZero();
    }
}
