/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a request has an argument that no server can accept; correct the argument that the message names. */
public final class InvalidRequestException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public InvalidRequestException(String message, Throwable cause) {
        super(ErrorCode.INVALID_REQUEST, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public InvalidRequestException(String message) {
        this(message, null);
    }
}
