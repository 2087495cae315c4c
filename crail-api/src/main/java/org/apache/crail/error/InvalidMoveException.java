/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when a node cannot move there: below itself, onto or from the root, or across partitions; choose another
 * destination.
 */
public final class InvalidMoveException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public InvalidMoveException(String message, Throwable cause) {
        super(ErrorCode.INVALID_MOVE, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public InvalidMoveException(String message) {
        this(message, null);
    }
}
