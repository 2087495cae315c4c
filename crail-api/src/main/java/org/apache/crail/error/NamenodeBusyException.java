/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when the namenode does or keeps as much of what was asked for as it may;
 * nothing has changed, try again later.
 */
public final class NamenodeBusyException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NamenodeBusyException(String message, Throwable cause) {
        super(ErrorCode.NAMENODE_BUSY, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NamenodeBusyException(String message) {
        this(message, null);
    }
}
