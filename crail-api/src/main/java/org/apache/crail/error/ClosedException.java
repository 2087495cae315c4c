/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when the store, stream or connection has been closed; open it again. */
public final class ClosedException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public ClosedException(String message, Throwable cause) {
        super(ErrorCode.CLOSED, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public ClosedException(String message) {
        this(message, null);
    }
}
