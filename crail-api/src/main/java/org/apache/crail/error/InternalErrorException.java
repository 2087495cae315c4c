/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when the server failed on a request for a reason it did not foresee; report it with the server log. */
public final class InternalErrorException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public InternalErrorException(String message, Throwable cause) {
        super(ErrorCode.INTERNAL, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public InternalErrorException(String message) {
        this(message, null);
    }
}
