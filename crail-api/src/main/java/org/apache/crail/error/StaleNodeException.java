/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when the node behind this handle has been deleted or replaced; look the path up again. */
public final class StaleNodeException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public StaleNodeException(String message, Throwable cause) {
        super(ErrorCode.STALE_NODE, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public StaleNodeException(String message) {
        this(message, null);
    }
}
