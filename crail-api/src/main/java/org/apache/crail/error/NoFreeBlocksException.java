/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when no storage class has a free block; delete data, or add datanodes. */
public class NoFreeBlocksException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NoFreeBlocksException(String message, Throwable cause) {
        this(ErrorCode.NO_FREE_BLOCKS, message, cause);
    }

    NoFreeBlocksException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NoFreeBlocksException(String message) {
        this(message, null);
    }
}
