/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when an operation did not finish within its time limit; check the servers, or raise crail.rpctimeout or
 * crail.datatimeout.
 */
public final class OperationTimeoutException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public OperationTimeoutException(String message, Throwable cause) {
        super(ErrorCode.TIMEOUT, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public OperationTimeoutException(String message) {
        this(message, null);
    }
}
