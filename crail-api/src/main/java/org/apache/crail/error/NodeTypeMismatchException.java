/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when a node has another type than the operation needs, or its parent cannot hold that type; see the table of
 * node types.
 */
public final class NodeTypeMismatchException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NodeTypeMismatchException(String message, Throwable cause) {
        super(ErrorCode.NODE_TYPE_MISMATCH, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NodeTypeMismatchException(String message) {
        this(message, null);
    }
}
