/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.internal.Futures;

/** Reads of ranges of files, without a thread that waits for them. Stateless. */
final class FileReads {
    private FileReads() {}

    /**
     * Fills buffers, one behind the other, with what is in a file from a position on.
     *
     * @param buffers filled from position to limit; they must not be touched until the future is done
     * @return done when nothing touches the buffers any more; fails if one of them is not full
     */
    static CompletableFuture<Void> fill(CrailFile file, long position, List<CrailBuffer> buffers) {
        CompletableFuture<?>[] reads = new CompletableFuture<?>[buffers.size()];
        CrailInputStream stream = null;
        try {
            stream = file.getDirectInputStream(0);
            stream.seek(position);
            for (int i = 0; i < reads.length; i++) {
                reads[i] = fill(stream, buffers.get(i));
            }
        } catch (Exception e) { // as declared
            for (int i = 0; i < reads.length; i++) {
                reads[i] = reads[i] == null ? CompletableFuture.failedFuture(e) : reads[i];
            }
        }
        CrailInputStream opened = stream;
        return CompletableFuture.allOf(reads).whenComplete((done, failure) -> {
            if (opened != null) {
                CompletableFuture<Void> ignored = opened.closeAsync();
            }
        });
    }

    private static CompletableFuture<?> fill(CrailInputStream stream, CrailBuffer buffer) throws Exception {
        int wanted = buffer.remaining();
        Future<CrailResult> read = wanted == 0 ? null : stream.read(buffer);
        if (read == null) {
            return wanted == 0 ? CompletableFuture.completedFuture(null) : tooShort(stream, 0, wanted);
        }
        return Futures.toCompletable(read)
                .thenCompose(result -> result.getLen() == wanted
                        ? CompletableFuture.completedFuture(null)
                        : tooShort(stream, result.getLen(), wanted));
    }

    private static CompletableFuture<Void> tooShort(CrailInputStream stream, long bytes, int wanted) {
        return CompletableFuture.failedFuture(new BrokenOutputException(
                stream.getFile().getPath() + " ends behind " + bytes + " of " + wanted + " bytes of a range"));
    }
}
