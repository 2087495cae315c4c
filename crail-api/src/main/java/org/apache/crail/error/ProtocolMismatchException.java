/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when the peer speaks another protocol or another version of it; use the same release on both sides. */
public final class ProtocolMismatchException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public ProtocolMismatchException(String message, Throwable cause) {
        super(ErrorCode.PROTOCOL_MISMATCH, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public ProtocolMismatchException(String message) {
        this(message, null);
    }
}
