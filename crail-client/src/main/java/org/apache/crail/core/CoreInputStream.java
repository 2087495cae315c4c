/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.PositionOutOfRangeException;
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
        ClusterSettings settings = runtime().settings();
        long begin = position();
        int blocks = blocks(begin, length);
        boolean ahead = continuing || begin < hint;
        long end = begin < hint ? hint : getFile().getCapacity();
        long lastBlock = settings.blockIndex(Math.max(end, begin + length) - 1);
        long blocksLeft = lastBlock - settings.blockIndex(begin) + 1;
        int wanted = ahead ? (int) Math.min(Integer.MAX_VALUE, blocksLeft) : blocks;
        ReadOperation operation = new ReadOperation(dataBuf, length, blocks);
        inFlight().begin();
        runtime().inputStatistics().countOperation(length);
        transfer(dataBuf, operation, wanted, READY);
        if (ahead) {
            mapper().askAhead(settings.blockIndex(position() - 1), lastBlock, BlockMapper.MAX_BATCH);
        }
        continuing = true;
        return operation;
    }

    @Override
    public final int available() {
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

    /** Waits for the operations in flight, whose buffers stay the caller's, and closes. */
    @Override
    public void close() throws IOException {
        if (!markClosed()) {
            return;
        }
        runtime().streams().closed(this);
        runtime().inputStatistics().countStream(getFile().getCapacity());
        awaitOperations();
    }

    /** A read in flight. */
    private final class ReadOperation extends CoreDataOperation {
        private final CrailBuffer buffer;

        ReadOperation(CrailBuffer buffer, int length, int parts) {
            super(runtime(), getFile().getPath(), length, parts, false, false);
            this.buffer = buffer;
        }

        @Override
        void ended(CrailException result) {
            runtime().checkOut(buffer);
        }

        @Override
        void shown() {
            inFlight().end();
        }
    }
}
