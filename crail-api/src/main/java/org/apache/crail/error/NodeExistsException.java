/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a node has this path already; choose another path or delete the node first. */
public final class NodeExistsException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NodeExistsException(String message, Throwable cause) {
        super(ErrorCode.NODE_EXISTS, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NodeExistsException(String message) {
        this(message, null);
    }
}
