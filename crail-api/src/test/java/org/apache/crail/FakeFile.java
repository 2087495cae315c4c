/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.internal.NearStream;

/** A file of a {@link FakeStore}. */
final class FakeFile extends FakeNode implements CrailKeyValue {
    private byte[] bytes = new byte[0];
    private long synced;
    int openStreams;
    int syncs;

    FakeFile(FakeStore store, String path) {
        super(store, path, CrailNodeType.DATAFILE);
    }

    synchronized void append(byte[] more) {
        put(bytes.length, more);
        synced = bytes.length;
    }

    /** Has this length from now on, though not so many bytes. */
    synchronized void pretend(long length) {
        synced = length;
    }

    private synchronized void put(long offset, byte[] more) {
        int end = (int) offset + more.length;
        bytes = bytes.length < end ? Arrays.copyOf(bytes, end) : bytes;
        System.arraycopy(more, 0, bytes, (int) offset, more.length);
    }

    private synchronized byte[] part(long offset, int length) {
        return Arrays.copyOfRange(bytes, (int) offset, (int) offset + length);
    }

    /** What is in the file, whether it has been synced or not. */
    synchronized byte[] content() {
        return bytes.clone();
    }

    @Override
    public CrailFile asFile() {
        return this;
    }

    @Override
    public synchronized long getCapacity() {
        return synced;
    }

    @Override
    public long getToken() {
        return 1;
    }

    @Override
    public long getFd() {
        return 1;
    }

    @Override
    public CrailInputStream getDirectInputStream(long readHint) {
        openStreams++;
        return new Input();
    }

    @Override
    public CrailOutputStream getDirectOutputStream(long writeHint) {
        openStreams++;
        return new Output();
    }

    private final class Input implements CrailInputStream, NearStream {
        private final long capacity = getCapacity();
        private long position;

        @Override
        public CrailNode getFile() {
            return FakeFile.this;
        }

        @Override
        public Future<CrailResult> read(CrailBuffer target) {
            if (position >= capacity) {
                return null;
            }
            int length = (int) Math.min(target.remaining(), capacity - position);
            target.limit(target.position() + length);
            CrailBuffer slice = target.slice();
            target.position(target.limit());
            long offset = position;
            position += length;
            return store.transfers.begin(getPath(), offset, length, () -> slice.put(part(offset, length)));
        }

        @Override
        public boolean isNear() {
            return store.transfers.isNear();
        }

        @Override
        public int copy(ByteBuffer target) throws IOException {
            int left = (int) Math.min(target.remaining(), capacity - position);
            int length = store.transfers.copy(getPath(), position, left);
            target.put(part(position, length));
            position += length;
            return length;
        }

        @Override
        public void seek(long wanted) throws IOException {
            if (wanted < 0 || wanted > capacity) {
                throw new PositionOutOfRangeException("position " + wanted + " is not in 0 to " + capacity);
            }
            position = wanted;
        }

        @Override
        public int available() {
            return (int) Math.min(Integer.MAX_VALUE, capacity - position);
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void close() {
            openStreams--;
        }
    }

    private final class Output implements CrailOutputStream, NearStream {
        private long position = getCapacity();

        @Override
        public CrailNode getFile() {
            return FakeFile.this;
        }

        @Override
        public Future<CrailResult> write(CrailBuffer source) {
            CrailBuffer slice = source.slice();
            int length = source.remaining();
            source.position(source.limit());
            long offset = position;
            position += length;
            return store.transfers.begin(getPath(), offset, length, () -> {
                byte[] more = new byte[length];
                slice.get(more);
                put(offset, more);
            });
        }

        @Override
        public boolean isNear() {
            return store.transfers.isNear();
        }

        @Override
        public int copy(ByteBuffer source) throws IOException {
            int length = store.transfers.copy(getPath(), position, source.remaining());
            byte[] more = new byte[length];
            source.get(more);
            put(position, more);
            position += length;
            return length;
        }

        @Override
        public Future<Void> sync() throws IOException {
            if (store.transfers.inFlight() > 0) {
                throw new IOException("operations are in flight");
            }
            synced = position;
            syncs++;
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public long getWriteHint() {
            return 0;
        }

        @Override
        public void close() throws IOException {
            openStreams--;
            Object ignored = sync();
        }
    }
}
