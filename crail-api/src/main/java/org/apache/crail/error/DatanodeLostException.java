/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when the datanode that holds a block sends no heartbeats or lost its data; restart a silent one, else write
 * the data again.
 */
public final class DatanodeLostException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public DatanodeLostException(String message, Throwable cause) {
        super(ErrorCode.DATANODE_LOST, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public DatanodeLostException(String message) {
        this(message, null);
    }
}
