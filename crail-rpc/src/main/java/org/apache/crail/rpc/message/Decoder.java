/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import com.google.errorprone.annotations.Immutable;
import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Reads one message.
 *
 * @param <T> the type of the message
 */
@Immutable
@FunctionalInterface
interface Decoder<T> {
    /** Reads from the buffer's position; a message that ends early shows as a BufferUnderflowException. */
    T decode(ByteBuffer in) throws CrailException;
}
