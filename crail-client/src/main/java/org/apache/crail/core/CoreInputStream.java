/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.core.block.BlockMapper;
import org.apache.crail.core.block.CoreDataOperation;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.utils.CrailImmediateOperation;

/** Reads a file; see {@link CrailInputStream} for the contract and who may call. */
class CoreInputStream extends CoreStream implements CrailInputStream {
    private long hint;

    /** Whether the previous call was a read, so that this one continues it. */
    private boolean continuing;

    CoreInputStream(CoreFile file, long readHint) {
        super(file, null, 0);
        this.hint = Math.max(0, Math.min(readHint, file.getCapacity()));
        runtime().streams().opened(this);
    }

    @Override
    public final Future<CrailResult> read(CrailBuffer dataBuf) throws Exception {
        checkOpen();
        long left = getFile().getCapacity() - position();
        if (left <= 0) {
            return null;
        }
        if (!dataBuf.hasRemaining()) {
            return new CrailImmediateOperation(0);
        }
        runtime().checkIn(dataBuf);
        int length = (int) Math.min(dataBuf.remaining(), left);
        dataBuf.limit(dataBuf.position() + length);
        return start(dataBuf, length);
    }

    private ReadOperation start(CrailBuffer dataBuf, int length) {
        long begin = position();
        ReadOperation operation = new ReadOperation(dataBuf, begin + length, length, blocks(begin, length));
        inFlight().begin();
        parts().inputStatistics().countOperation(length);
        transfer(dataBuf, operation, blocksWanted(begin, length), READY);
        askAhead(begin, length, position() - 1);
        continuing = true;
        return operation;
    }

    @Override
    public final int copy(ByteBuffer bytes) throws IOException {
        inFlight().begin();
        try {
            checkOpen(); // behind the begin: a close either waits for this or is seen
            return copyOpen(bytes);
        } finally {
            inFlight().end();
        }
    }

    private int copyOpen(ByteBuffer bytes) {
        long begin = position();
        int length = (int) Math.min(bytes.remaining(), getFile().getCapacity() - begin);
        if (length <= 0) {
            return 0;
        }
        continuing |= begin == 0; // who reads so much of a file from its begin on will go on
        if (mapper().cached(settings().blockIndex(begin)) != null) {
            askAhead(begin, length, begin); // else those behind are asked for together with this one
        }
        int end = bytes.limit();
        int copied;
        bytes.limit(bytes.position() + length);
        try {
            copied = copyBlocks(bytes, blocksWanted(begin, length));
        } finally {
            bytes.limit(end);
        }
        if (copied > 0) {
            continuing = true;
            parts().inputStatistics().countOperation(copied);
        }
        return copied;
    }

    private boolean isAhead(long begin) {
        return continuing || begin < hint;
    }

    private long lastBlock(long begin, int length) {
        long end = begin < hint ? hint : getFile().getCapacity();
        return settings().blockIndex(Math.max(end, begin + length) - 1);
    }

    /** How many blocks to ask for, from that at {@code begin} on. */
    private int blocksWanted(long begin, int length) {
        long blocksLeft = lastBlock(begin, length) - settings().blockIndex(begin) + 1;
        return isAhead(begin) ? (int) Math.min(Integer.MAX_VALUE, blocksLeft) : blocks(begin, length);
    }

    /** Asks for blocks behind that of a position, if more of them are going to be read. */
    private void askAhead(long begin, int length, long known) {
        if (isAhead(begin)) {
            long index = settings().blockIndex(known);
            mapper().askAhead(index, lastBlock(begin, length), BlockMapper.MAX_BATCH);
        }
    }

    @Override
    public final int available() {
        if (getFile().mayGetFirstBytes()) {
            try {
                getFile().lookAgain();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, getFile().getCapacity() - position()));
    }

    @Override
    public final void seek(long pos) throws IOException {
        checkOpen();
        long capacity = getFile().getCapacity();
        if (pos < 0 || pos > capacity) {
            throw new PositionOutOfRangeException("cannot seek to " + pos + " in "
                    + getFile().getPath() + ": it has " + capacity + " bytes; seek to 0 to " + capacity);
        }
        if (pos != position()) {
            position(pos);
            hint = 0;
            continuing = false;
            mapper().resetAhead();
        }
    }

    /** Nobody has to be told. */
    @Override
    final CompletableFuture<Void> finish(boolean isAwaited, Consumer<PendingCall<?>> onAsked) {
        return READY;
    }

    @Override
    final void finished() {
        runtime().streams().closed(this);
        parts().inputStatistics().countStream(getFile().getCapacity());
    }

    /** A read in flight. */
    private final class ReadOperation extends CoreDataOperation {
        private final CrailBuffer buffer;
        private final long end;

        ReadOperation(CrailBuffer buffer, long end, int length, int parts) {
            super(parts().inputStatistics(), getFile().getPath(), length, parts, false);
            this.buffer = buffer;
            this.end = end;
        }

        @Override
        protected CrailException verified() {
            return getFile().reaches(end)
                    ? null
                    : new TokenMismatchException("reading up to " + end + " of "
                            + getFile().getPath() + ": what a stream of this object has written there was never synced,"
                            + " and another writer has taken over; the node has "
                            + getFile().getCapacity() + " bytes");
        }

        @Override
        protected void ended(CrailException result) {
            runtime().checkOut(buffer);
        }

        @Override
        protected void shown() {
            inFlight().end();
        }
    }
}
