/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.metadata.BlockInfo;

/**
 * What a client wants to have transferred. Immutable.
 *
 * @param isWrite whether the client sends the bytes
 * @param requestId what the response refers to
 * @param region key of the region
 * @param address where the block begins in the region
 * @param blockLength of the block in bytes
 * @param epoch of the block's allocation, as the client knows it
 * @param offset in the block
 * @param length in bytes, never negative
 */
record TransferRequest(
        boolean isWrite,
        long requestId,
        int region,
        long address,
        int blockLength,
        long epoch,
        int offset,
        int length) {

    static TransferRequest decode(ByteBuf in) throws ProtocolMismatchException {
        int operation = in.readInt();
        boolean isWrite = operation == TransferProtocol.WRITE;
        TransferRequest request = new TransferRequest(
                isWrite,
                in.readLong(),
                in.readInt(),
                in.readLong(),
                in.readInt(),
                in.readLong(),
                in.readInt(),
                in.readInt());
        in.skipBytes(TransferProtocol.UNUSED_REQUEST_BYTES);
        if ((!isWrite && operation != TransferProtocol.READ) || request.length < 0) {
            throw new ProtocolMismatchException(
                    "operation " + operation + " of " + request.length + " bytes does not exist");
        }
        return request;
    }

    static ByteBuf encode(
            ByteBufAllocator allocator, boolean isWrite, long requestId, BlockInfo block, int offset, int length) {
        return allocator
                .directBuffer(TransferProtocol.HEAD_BYTES)
                .writeInt(isWrite ? TransferProtocol.WRITE : TransferProtocol.READ)
                .writeLong(requestId)
                .writeInt(block.getLkey())
                .writeLong(block.getAddr())
                .writeInt(block.getLength())
                .writeLong(block.epoch())
                .writeInt(offset)
                .writeInt(length)
                .writeZero(TransferProtocol.UNUSED_REQUEST_BYTES);
    }

    /** Whether the range lies in the block. */
    boolean isWithinBlock() {
        return offset >= 0 && (long) offset + length <= blockLength;
    }

    @Override
    public String toString() {
        return (isWrite ? "write" : "read") + " of " + length + " bytes at offset " + offset + " of the block at "
                + address + "+" + blockLength + " in region " + region + ", epoch " + epoch;
    }
}
