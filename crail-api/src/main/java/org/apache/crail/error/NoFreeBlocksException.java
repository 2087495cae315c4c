/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when no storage class has a free block; delete data, add datanodes, or wait for reclamation. */
public final class NoFreeBlocksException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public NoFreeBlocksException(String message, Throwable cause) {
        super(ErrorCode.NO_FREE_BLOCKS, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public NoFreeBlocksException(String message) {
        this(message, null);
    }
}
