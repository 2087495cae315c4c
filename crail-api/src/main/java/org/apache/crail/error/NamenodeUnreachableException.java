/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when the namenode cannot be connected to, or the connection broke; check crail.namenode.address and that the
 * namenode runs.
 */
public final class NamenodeUnreachableException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NamenodeUnreachableException(String message, Throwable cause) {
        super(ErrorCode.NAMENODE_UNREACHABLE, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NamenodeUnreachableException(String message) {
        this(message, null);
    }
}
