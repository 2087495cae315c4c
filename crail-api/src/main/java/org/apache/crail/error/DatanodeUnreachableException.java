/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when a datanode cannot be connected to, or the connection broke; check that the datanode runs and its address
 * can be reached.
 */
public final class DatanodeUnreachableException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public DatanodeUnreachableException(String message, Throwable cause) {
        super(ErrorCode.DATANODE_UNREACHABLE, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public DatanodeUnreachableException(String message) {
        this(message, null);
    }
}
