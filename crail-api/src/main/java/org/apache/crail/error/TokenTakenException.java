/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when another writer holds the write token; wait until it closes or its token expires. */
public final class TokenTakenException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public TokenTakenException(String message, Throwable cause) {
        super(ErrorCode.TOKEN_TAKEN, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public TokenTakenException(String message) {
        this(message, null);
    }
}
