/* SPDX-License-Identifier: Apache-2.0 */
package com.ibm.jnvmf;

import java.nio.ByteBuffer;

/** Answers of targets as jNVMf reads them, which only its own package may make. Stateless. */
public final class Answers {
    private static final int ENTRY_BYTES = 16;
    private static final int STATUS_OFFSET = 14;
    private static final int TYPE_SHIFT = 8;

    private Answers() {}

    /** What jNVMf throws when a command of the admin queue is answered with that status. */
    public static UnsuccessfulComandException failure(int type, int code) {
        ByteBuffer entry = ByteBuffer.allocateDirect(ENTRY_BYTES);
        int status = (type << TYPE_SHIFT | code) << 1; // behind the phase tag
        entry.put(STATUS_OFFSET, (byte) status).put(STATUS_OFFSET + 1, (byte) (status >> Byte.SIZE));
        AdminCompletionQueueEntry read = new AdminCompletionQueueEntry();
        read.update(new NativeByteBuffer(entry));
        return new UnsuccessfulComandException(read);
    }
}
