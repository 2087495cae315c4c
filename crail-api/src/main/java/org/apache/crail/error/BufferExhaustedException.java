/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when no buffer could be had; free buffers, or raise crail.cachelimit or the JVM limit of direct memory. */
public final class BufferExhaustedException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public BufferExhaustedException(String message, Throwable cause) {
        super(ErrorCode.OUT_OF_MEMORY, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public BufferExhaustedException(String message) {
        this(message, null);
    }
}
