/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when a block has been given to another node since its location was learned; ask the namenode for the location
 * again.
 */
public final class StaleBlockException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public StaleBlockException(String message, Throwable cause) {
        super(ErrorCode.STALE_BLOCK, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public StaleBlockException(String message) {
        this(message, null);
    }
}
