/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when this writer no longer holds the write token; look the node up again for writing. */
public final class TokenMismatchException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public TokenMismatchException(String message, Throwable cause) {
        super(ErrorCode.TOKEN_MISMATCH, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public TokenMismatchException(String message) {
        this(message, null);
    }
}
