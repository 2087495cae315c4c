/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when the namenode does not know this datanode; register the datanode again. */
public final class DatanodeNotRegisteredException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public DatanodeNotRegisteredException(String message, Throwable cause) {
        super(ErrorCode.DATANODE_NOT_REGISTERED, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public DatanodeNotRegisteredException(String message) {
        this(message, null);
    }
}
