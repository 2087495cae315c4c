/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.concurrent.Future;

/**
 * A read of a slice that is in flight. Immutable.
 *
 * @param stream where it reads
 * @param slice what it fills from the begin
 * @param length bytes that it reads
 * @param last whether it is the last one of its stream
 * @param future its end
 */
record ReadOperation(CrailInputStream stream, CrailBuffer slice, int length, boolean last, Future<CrailResult> future) {
    /**
     * Reads from the stream's position into {@code slice}, up to its limit.
     *
     * @param left bytes left in the stream, as far as known
     * @return null at the end of the stream
     */
    static ReadOperation start(CrailInputStream stream, CrailBuffer slice, long left) throws Exception {
        long before = stream.position();
        Future<CrailResult> future = stream.read(slice);
        if (future == null) {
            return null;
        }
        int length = Math.toIntExact(stream.position() - before);
        return new ReadOperation(stream, slice, length, length >= left, future);
    }
}
