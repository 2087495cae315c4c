/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when no node has this path; check the path. */
public final class NodeNotFoundException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NodeNotFoundException(String message, Throwable cause) {
        super(ErrorCode.NODE_NOT_FOUND, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NodeNotFoundException(String message) {
        this(message, null);
    }
}
