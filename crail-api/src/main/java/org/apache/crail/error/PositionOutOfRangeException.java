/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a position lies outside the node; use a position between 0 and the capacity. */
public final class PositionOutOfRangeException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public PositionOutOfRangeException(String message, Throwable cause) {
        super(ErrorCode.POSITION_OUT_OF_RANGE, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public PositionOutOfRangeException(String message) {
        this(message, null);
    }
}
