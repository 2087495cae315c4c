/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when a path is too long, holds a component that is too long, or holds "." or ".."; components of 1 to 255
 * bytes, 1,023 bytes in all.
 */
public final class InvalidPathException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public InvalidPathException(String message, Throwable cause) {
        super(ErrorCode.INVALID_PATH, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public InvalidPathException(String message) {
        this(message, null);
    }
}
