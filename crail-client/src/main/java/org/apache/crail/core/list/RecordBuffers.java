/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.crail.CrailBuffer;
import org.apache.crail.memory.BufferCache;

/**
 * Buffers for directory records, all of one size, cut from buffers of the cache, each of which goes back as soon as
 * none of its pieces is in use. Thread safe.
 */
final class RecordBuffers {
    private final BufferCache cache;
    private final int pieceBytes;
    private final List<Slab> slabs = new ArrayList<>();

    RecordBuffers(BufferCache cache, int pieceBytes) {
        this.cache = cache;
        this.pieceBytes = pieceBytes;
    }

    /** One piece, owned by whoever took it. */
    record Piece(CrailBuffer buffer, Slab slab) {}

    /** A buffer of the cache and which of its pieces are free. */
    private static final class Slab {
        final CrailBuffer whole;
        final Deque<CrailBuffer> free = new ArrayDeque<>();
        int cut;
        int inUse;

        Slab(CrailBuffer whole) {
            this.whole = whole;
        }

        CrailBuffer take(int size) {
            CrailBuffer piece = free.poll();
            if (piece == null && cut + size <= whole.capacity()) {
                piece = whole.clear().position(cut).limit(cut + size).slice();
                cut += size;
            }
            if (piece != null) {
                inUse++;
                piece.clear();
            }
            return piece;
        }
    }

    /** Takes a cleared piece; does not wait for others to be given back. */
    synchronized Piece take() throws IOException {
        for (Slab slab : slabs) {
            CrailBuffer piece = slab.take(pieceBytes);
            if (piece != null) {
                return new Piece(piece, slab);
            }
        }
        Slab slab = new Slab(cache.allocateBuffer());
        slabs.add(slab);
        return new Piece(slab.take(pieceBytes), slab);
    }

    /** Gives a piece back. */
    synchronized void give(Piece piece) throws IOException {
        Slab slab = piece.slab();
        slab.free.push(piece.buffer());
        slab.inUse--;
        if (slab.inUse == 0) {
            slabs.remove(slab);
            cache.freeBuffer(slab.whole);
        }
    }
}
