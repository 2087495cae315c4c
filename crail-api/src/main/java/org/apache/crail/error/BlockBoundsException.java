/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when a transfer touches a region that does not exist or crosses the end of its block; keep transfers inside
 * one block.
 */
public final class BlockBoundsException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public BlockBoundsException(String message, Throwable cause) {
        super(ErrorCode.BLOCK_BOUNDS, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public BlockBoundsException(String message) {
        this(message, null);
    }
}
