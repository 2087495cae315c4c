/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailPath;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;

/** Tells where the blocks of a path lie, without a lookup before; never blocks. Thread safe. */
public final class PathLocator {
    private final MetadataCalls calls;
    private final BlockLocator locator;
    private final CrailPath path;

    /** The first block of the range, and its last one. */
    private final long first;

    private final long last;

    /** Makes one for a range of at least one byte. */
    public PathLocator(MetadataCalls calls, BlockLocator locator, CrailPath path, long start, long length) {
        this.calls = calls;
        this.locator = locator;
        this.path = path;
        this.first = calls.settings().blockIndex(start);
        this.last = calls.settings().blockIndex(BlockLocator.end(start, length) - 1);
    }

    /** One location for each block of the range that exists, with the length of a block. */
    public CompletableFuture<List<CrailBlockLocation>> locate() {
        return add(new ArrayList<>()).thenApply(this::locations);
    }

    /** An answer may have fewer blocks than fit the range, as a message has an end, too. */
    private CompletableFuture<List<BlockInfo>> add(List<BlockInfo> found) {
        return ask(first + found.size()).thenCompose(part -> {
            found.addAll(part);
            boolean more = !part.isEmpty() && found.size() < last - first + 1;
            return more ? add(found) : CompletableFuture.completedFuture(found);
        });
    }

    private CompletableFuture<List<BlockInfo>> ask(long index) {
        int count = (int) Math.min(MapRequest.MAX_COUNT, last - index + 1);
        LocateRequest request = new LocateRequest(path, index * calls.settings().blockSizeBytes(), count);
        return calls.router()
                .askForPath(path, request)
                .thenApply(MapResponse::blocks)
                .exceptionally(failure -> {
                    if (Waiting.typed("locating " + path, failure).code() == ErrorCode.POSITION_OUT_OF_RANGE) {
                        return List.of(); // the file has no block there
                    }
                    throw new CompletionException(failure);
                });
    }

    private List<CrailBlockLocation> locations(List<BlockInfo> blocks) {
        return locator.locations(blocks, first, Long.MAX_VALUE, Long.MAX_VALUE);
    }
}
