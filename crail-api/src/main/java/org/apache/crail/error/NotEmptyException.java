/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a container still has children; delete recursively. */
public final class NotEmptyException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NotEmptyException(String message, Throwable cause) {
        super(ErrorCode.NOT_EMPTY, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NotEmptyException(String message) {
        this(message, null);
    }
}
