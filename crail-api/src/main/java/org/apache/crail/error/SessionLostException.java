/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when the namenode has forgotten what it answered this client,
 * so that nobody knows whether an operation was done; look, then go on.
 */
public final class SessionLostException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public SessionLostException(String message, Throwable cause) {
        super(ErrorCode.SESSION_LOST, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public SessionLostException(String message) {
        this(message, null);
    }
}
