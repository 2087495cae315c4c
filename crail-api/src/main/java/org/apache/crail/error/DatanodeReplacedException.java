/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a datanode that began later has taken the place of this one, which must end. */
public final class DatanodeReplacedException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public DatanodeReplacedException(String message, Throwable cause) {
        super(ErrorCode.DATANODE_REPLACED, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public DatanodeReplacedException(String message) {
        this(message, null);
    }
}
