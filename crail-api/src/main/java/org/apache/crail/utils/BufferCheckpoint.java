/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.InvalidRequestException;

/** Finds buffers that are used in two operations at once, see {@code crail.debug}. All methods are thread safe. */
public class BufferCheckpoint {
    private final Set<Long> inUse = ConcurrentHashMap.newKeySet();

    /** Makes one that knows of no operation. */
    public BufferCheckpoint() {}

    /**
     * An operation begins to use a buffer.
     *
     * @throws InvalidRequestException if another one uses it
     */
    public void checkIn(CrailBuffer buffer) throws Exception {
        if (!inUse.add(buffer.address())) {
            throw new InvalidRequestException(
                    "Buffer already in use: " + buffer + "; wait for the operation that it was given to first");
        }
    }

    /** An operation has ended. */
    public void checkOut(CrailBuffer buffer) {
        inUse.remove(buffer.address());
    }
}
